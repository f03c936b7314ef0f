module

@[expose] public section

/-!
# Core list functions that can be compiled everywhere

The WebAssembly build of Lean lacks the compiled form of most list functions of the core library. Where it runs the
oracle, this file is put in front: for each such function an equal one of our own, and a proof of that, which lets the
compiler take ours (`csimp`). Nothing imports it, official Lean does not need it, and no definition means anything else
because of it.

Functions that build a list collect it in reverse (`…Onto`), so that long lists take no stack.
-/

namespace Shim

/-! ## Order and concatenation -/

def revOnto {α : Type u} : List α → List α → List α
  | [], acc => acc
  | a :: as, acc => revOnto as (a :: acc)

theorem revOnto_eq {α : Type u} (as acc : List α) : revOnto as acc = as.reverse ++ acc := by
  induction as generalizing acc with
  | nil => rfl
  | cons a as ih => simp [revOnto, ih]

def reverse {α : Type u} (as : List α) : List α := revOnto as []

@[csimp] theorem reverse_eq : @List.reverse = @reverse := by
  funext α as; simp [reverse, revOnto_eq]

def append {α : Type u} (as bs : List α) : List α := revOnto (reverse as) bs

@[csimp] theorem append_eq : @List.append = @append := by
  funext α as bs
  simp [append, revOnto_eq, ← reverse_eq]

instance (priority := high) instAppend {α : Type u} : Append (List α) := ⟨List.append⟩

/-! ## Functions of each entry -/

@[specialize] def mapOnto {α : Type u} {β : Type v} (f : α → β) : List α → List β → List β
  | [], acc => reverse acc
  | a :: as, acc => mapOnto f as (f a :: acc)

theorem mapOnto_eq {α : Type u} {β : Type v} (f : α → β) (as : List α) (acc : List β) :
    mapOnto f as acc = acc.reverse ++ as.map f := by
  induction as generalizing acc with
  | nil => simp [mapOnto, ← reverse_eq]
  | cons a as ih => simp [mapOnto, ih]

@[specialize] def map {α : Type u} {β : Type v} (f : α → β) (as : List α) : List β := mapOnto f as []

@[csimp] theorem map_eq : @List.map = @map := by
  funext α β f as; simp [map, mapOnto_eq]

@[specialize] def filterOnto {α : Type u} (p : α → Bool) : List α → List α → List α
  | [], acc => reverse acc
  | a :: as, acc => match p a with
    | true => filterOnto p as (a :: acc)
    | false => filterOnto p as acc

theorem filterOnto_eq {α : Type u} (p : α → Bool) (as acc : List α) :
    filterOnto p as acc = acc.reverse ++ as.filter p := by
  induction as generalizing acc with
  | nil => simp [filterOnto, ← reverse_eq]
  | cons a as ih => cases h : p a <;> simp [filterOnto, h, ih]

@[specialize] def filter {α : Type u} (p : α → Bool) (as : List α) : List α := filterOnto p as []

@[csimp] theorem filter_eq : @List.filter = @filter := by
  funext α p as; simp [filter, filterOnto_eq]

/-! ## Length, one value many times, one entry -/

def lengthOnto {α : Type u} : List α → Nat → Nat
  | [], n => n
  | _ :: as, n => lengthOnto as (n + 1)

theorem lengthOnto_eq {α : Type u} (as : List α) (n : Nat) : lengthOnto as n = as.length + n := by
  induction as generalizing n with
  | nil => simp [lengthOnto]
  | cons a as ih => simp [lengthOnto, ih]; omega

def length {α : Type u} (as : List α) : Nat := lengthOnto as 0

@[csimp] theorem length_eq : @List.length = @length := by
  funext α as; simp [length, lengthOnto_eq]

def replicateOnto {α : Type u} (a : α) : Nat → List α → List α
  | 0, acc => acc
  | n + 1, acc => replicateOnto a n (a :: acc)

theorem replicateOnto_eq {α : Type u} (a : α) (n : Nat) (acc : List α) :
    replicateOnto a n acc = List.replicate n a ++ acc := by
  induction n generalizing acc with
  | zero => rfl
  | succ n ih => simp [replicateOnto, ih, List.replicate_succ']

def replicate {α : Type u} (n : Nat) (a : α) : List α := replicateOnto a n []

@[csimp] theorem replicate_eq : @List.replicate = @replicate := by
  funext α n a; simp [replicate, replicateOnto_eq]

def getD {α : Type u} : List α → Nat → α → α
  | [], _, d => d
  | a :: _, 0, _ => a
  | _ :: as, n + 1, d => getD as n d

@[csimp] theorem getD_eq : @List.getD = @getD := by
  funext α as n d
  induction as generalizing n with
  | nil => simp [getD]
  | cons a as ih => cases n <;> simp [getD, ← ih]

/-! ## Tests of all entries -/

@[specialize] def all {α : Type u} : List α → (α → Bool) → Bool
  | [], _ => true
  | a :: as, p => match p a with
    | true => all as p
    | false => false

@[csimp] theorem all_eq : @List.all = @all := by
  funext α as p
  induction as with
  | nil => rfl
  | cons a as ih => cases h : p a <;> simp [all, h, ← ih]

def isEmpty {α : Type u} : List α → Bool
  | [] => true
  | _ :: _ => false

@[csimp] theorem isEmpty_eq : @List.isEmpty = @isEmpty := by
  funext α as; cases as <;> rfl

@[specialize] def any {α : Type u} : List α → (α → Bool) → Bool
  | [], _ => false
  | a :: as, p => match p a with
    | true => true
    | false => any as p

@[csimp] theorem any_eq : @List.any = @any := by
  funext α as p
  induction as with
  | nil => rfl
  | cons a as ih => cases h : p a <;> simp [any, h, ← ih]

/-! ## Two lists at once -/

@[specialize] def zipWithOnto {α : Type u} {β : Type v} {γ : Type w} (f : α → β → γ) :
    List α → List β → List γ → List γ
  | a :: as, b :: bs, acc => zipWithOnto f as bs (f a b :: acc)
  | _, _, acc => reverse acc

theorem zipWithOnto_eq {α : Type u} {β : Type v} {γ : Type w} (f : α → β → γ)
    (as : List α) (bs : List β) (acc : List γ) :
    zipWithOnto f as bs acc = acc.reverse ++ List.zipWith f as bs := by
  induction as generalizing bs acc with
  | nil => simp [zipWithOnto, ← reverse_eq]
  | cons a as ih => cases bs <;> simp [zipWithOnto, ← reverse_eq, ih]

@[specialize] def zipWith {α : Type u} {β : Type v} {γ : Type w} (f : α → β → γ)
    (as : List α) (bs : List β) : List γ := zipWithOnto f as bs []

@[csimp] theorem zipWith_eq : @List.zipWith = @zipWith := by
  funext α β γ f as bs; simp [zipWith, zipWithOnto_eq]

def zip {α : Type u} {β : Type v} (as : List α) (bs : List β) : List (α × β) := zipWith Prod.mk as bs

@[csimp] theorem zip_eq : @List.zip = @zip := by
  funext α β as bs; simp [zip, ← zipWith_eq, List.zip]

/-! ## Folding and flattening -/

@[specialize] def foldl {α : Type u} {β : Type v} (f : α → β → α) : α → List β → α
  | a, [] => a
  | a, b :: bs => foldl f (f a b) bs

@[csimp] theorem foldl_eq : @List.foldl = @foldl := by
  funext α β f a bs
  induction bs generalizing a with
  | nil => rfl
  | cons b bs ih => simp [foldl, ← ih]

@[specialize] def foldr {α : Type u} {β : Type v} (f : α → β → β) (init : β) (as : List α) : β :=
  foldl (fun b a => f a b) init (reverse as)

@[csimp] theorem foldr_eq : @List.foldr = @foldr := by
  funext α β f init as
  simp [foldr, ← foldl_eq, ← reverse_eq]

def flattenOnto {α : Type u} : List (List α) → List α → List α
  | [], acc => reverse acc
  | as :: ass, acc => flattenOnto ass (revOnto as acc)

theorem flattenOnto_eq {α : Type u} (ass : List (List α)) (acc : List α) :
    flattenOnto ass acc = acc.reverse ++ ass.flatten := by
  induction ass generalizing acc with
  | nil => simp [flattenOnto, ← reverse_eq]
  | cons as ass ih => simp [flattenOnto, ih, revOnto_eq]

def flatten {α : Type u} (ass : List (List α)) : List α := flattenOnto ass []

@[csimp] theorem flatten_eq : @List.flatten = @flatten := by
  funext α ass; simp [flatten, flattenOnto_eq]

@[specialize] def flatMap {α : Type u} {β : Type v} (f : α → List β) (as : List α) : List β :=
  flatten (map f as)

@[csimp] theorem flatMap_eq : @List.flatMap = @flatMap := by
  funext α β f as; simp [flatMap, ← flatten_eq, ← map_eq, List.flatMap]

/-! ## Parts of a list -/

def takeOnto {α : Type u} : Nat → List α → List α → List α
  | n + 1, a :: as, acc => takeOnto n as (a :: acc)
  | _, _, acc => reverse acc

theorem takeOnto_eq {α : Type u} (n : Nat) (as acc : List α) :
    takeOnto n as acc = acc.reverse ++ as.take n := by
  induction n generalizing as acc with
  | zero => simp [takeOnto, ← reverse_eq]
  | succ n ih => cases as <;> simp [takeOnto, ← reverse_eq, ih]

def take {α : Type u} (n : Nat) (as : List α) : List α := takeOnto n as []

@[csimp] theorem take_eq : @List.take = @take := by
  funext α n as; simp [take, takeOnto_eq]

def drop {α : Type u} : Nat → List α → List α
  | 0, as => as
  | _ + 1, [] => []
  | n + 1, _ :: as => drop n as

@[csimp] theorem drop_eq : @List.drop = @drop := by
  funext α n as
  induction n generalizing as with
  | zero => simp [drop]
  | succ n ih => cases as <;> simp [drop, ← ih]

@[specialize] def takeWhileOnto {α : Type u} (p : α → Bool) : List α → List α → List α
  | [], acc => reverse acc
  | a :: as, acc => match p a with
    | true => takeWhileOnto p as (a :: acc)
    | false => reverse acc

theorem takeWhileOnto_eq {α : Type u} (p : α → Bool) (as acc : List α) :
    takeWhileOnto p as acc = acc.reverse ++ as.takeWhile p := by
  induction as generalizing acc with
  | nil => simp [takeWhileOnto, ← reverse_eq]
  | cons a as ih => cases h : p a <;> simp [takeWhileOnto, h, ih, ← reverse_eq]

@[specialize] def takeWhile {α : Type u} (p : α → Bool) (as : List α) : List α := takeWhileOnto p as []

@[csimp] theorem takeWhile_eq : @List.takeWhile = @takeWhile := by
  funext α p as; simp [takeWhile, takeWhileOnto_eq]

@[specialize] def dropWhile {α : Type u} (p : α → Bool) : List α → List α
  | [] => []
  | a :: as => match p a with
    | true => dropWhile p as
    | false => a :: as

@[csimp] theorem dropWhile_eq : @List.dropWhile = @dropWhile := by
  funext α p as
  induction as with
  | nil => rfl
  | cons a as ih => cases h : p a <;> simp [dropWhile, h, ← ih]

def dropLast {α : Type u} (as : List α) : List α := match reverse as with
  | [] => []
  | _ :: bs => reverse bs

@[csimp] theorem dropLast_eq : @List.dropLast = @dropLast := by
  funext α as
  rw [dropLast, ← reverse_eq]
  cases h : as.reverse with
  | nil => simp_all
  | cons b bs =>
    have h' : as = (b :: bs).reverse := by rw [← h, List.reverse_reverse]
    simp [h']

/-! ## Ends of a list -/

def head? {α : Type u} : List α → Option α
  | [] => none
  | a :: _ => some a

@[csimp] theorem head?_eq : @List.head? = @head? := by
  funext α as; cases as <;> rfl

def headD {α : Type u} : List α → α → α
  | [], d => d
  | a :: _, _ => a

@[csimp] theorem headD_eq : @List.headD = @headD := by
  funext α as d; cases as <;> rfl

def tail {α : Type u} : List α → List α
  | [] => []
  | _ :: as => as

@[csimp] theorem tail_eq : @List.tail = @tail := by
  funext α as; cases as <;> rfl

def getLast? {α : Type u} : List α → Option α
  | [] => none
  | [a] => some a
  | _ :: b :: as => getLast? (b :: as)

@[csimp] theorem getLast?_eq : @List.getLast? = @getLast? := by
  funext α as
  induction as with
  | nil => rfl
  | cons a as ih => cases as with
    | nil => rfl
    | cons b as => rw [getLast?, ← ih, List.getLast?_cons_cons]

def getLastD {α : Type u} (as : List α) (d : α) : α := match getLast? as with
  | none => d
  | some a => a

@[csimp] theorem getLastD_eq : @List.getLastD = @getLastD := by
  funext α as d
  rw [getLastD, ← getLast?_eq]
  cases as with
  | nil => rfl
  | cons a as => rw [List.getLast?_cons]; cases as <;> rfl

/-! ## Looking for an entry -/

@[specialize] def find? {α : Type u} (p : α → Bool) : List α → Option α
  | [] => none
  | a :: as => match p a with
    | true => some a
    | false => find? p as

@[csimp] theorem find?_eq : @List.find? = @find? := by
  funext α p as
  induction as with
  | nil => rfl
  | cons a as ih => cases h : p a <;> simp [find?, h, ← ih]

def set {α : Type u} : List α → Nat → α → List α
  | [], _, _ => []
  | _ :: as, 0, b => b :: as
  | a :: as, n + 1, b => a :: set as n b

@[csimp] theorem set_eq : @List.set = @set := by
  funext α as n b
  induction as generalizing n with
  | nil => rfl
  | cons a as ih => cases n <;> simp [set, ← ih]

def get? {α : Type u} (as : List α) (n : Nat) : Option α := match as, n with
  | [], _ => none
  | a :: _, 0 => some a
  | _ :: as, n + 1 => get? as n

@[csimp] theorem get?_eq : @List.get?Internal = @get? := by
  funext α as n
  induction as generalizing n with
  | nil => rfl
  | cons a as ih => cases n with
    | zero => rfl
    | succ n => exact ih n

def getAt {α : Type u} : (as : List α) → (n : Nat) → n < as.length → α
  | a :: _, 0, _ => a
  | _ :: as, n + 1, h => getAt as n (Nat.lt_of_succ_lt_succ h)

instance (priority := high) instGetElem? {α : Type u} : GetElem? (List α) Nat α (fun as n => n < as.length) where
  getElem := getAt
  getElem? := get?
  getElem! as n := match get? as n with
    | some a => a
    | none => default

/-! ## Indices -/

def rangeOnto : Nat → List Nat → List Nat
  | 0, acc => acc
  | n + 1, acc => rangeOnto n (n :: acc)

theorem rangeOnto_eq (n : Nat) (acc : List Nat) : rangeOnto n acc = List.range n ++ acc := by
  induction n generalizing acc with
  | zero => rfl
  | succ n ih => simp [rangeOnto, ih, List.range_succ]

def range (n : Nat) : List Nat := rangeOnto n []

@[csimp] theorem range_eq : @List.range = @range := by
  funext n; simp [range, rangeOnto_eq]

def zipIdxOnto {α : Type u} : List α → Nat → List (α × Nat) → List (α × Nat)
  | [], _, acc => reverse acc
  | a :: as, n, acc => zipIdxOnto as (n + 1) ((a, n) :: acc)

theorem zipIdxOnto_eq {α : Type u} (as : List α) (n : Nat) (acc : List (α × Nat)) :
    zipIdxOnto as n acc = acc.reverse ++ as.zipIdx n := by
  induction as generalizing n acc with
  | nil => simp [zipIdxOnto, ← reverse_eq]
  | cons a as ih => simp [zipIdxOnto, ih]

def zipIdx {α : Type u} (as : List α) (n : Nat) : List (α × Nat) := zipIdxOnto as n []

@[csimp] theorem zipIdx_eq : @List.zipIdx = @zipIdx := by
  funext α as n; simp [zipIdx, zipIdxOnto_eq]

@[specialize] def elem {α : Type u} [BEq α] (a : α) : List α → Bool
  | [] => false
  | b :: bs => match a == b with
    | true => true
    | false => elem a bs

@[csimp] theorem elem_eq : @List.elem = @elem := by
  funext α _ a as
  induction as with
  | nil => rfl
  | cons b bs ih => cases h : a == b <;> simp [elem, List.elem, h, ← ih]

/-! ## Equality -/

instance (priority := high) decNat : DecidableEq Nat := fun a b => Nat.decEq a b
instance (priority := high) decString : DecidableEq String := fun a b => instDecidableEqString a b
instance (priority := high) decInt : DecidableEq Int := fun a b => Int.decEq a b

def decList {α : Type u} [DecidableEq α] : DecidableEq (List α)
  | [], [] => isTrue rfl
  | [], _ :: _ => isFalse (by simp)
  | _ :: _, [] => isFalse (by simp)
  | a :: as, b :: bs => match decEq a b with
    | isFalse h => isFalse (by simp [h])
    | isTrue h => match decList as bs with
      | isFalse h' => isFalse (by simp [h'])
      | isTrue h' => isTrue (by rw [h, h'])

instance (priority := high) instDecList {α : Type u} [DecidableEq α] : DecidableEq (List α) := decList

def decOption {α : Type u} [DecidableEq α] : DecidableEq (Option α)
  | none, none => isTrue rfl
  | none, some _ => isFalse (by simp)
  | some _, none => isFalse (by simp)
  | some a, some b => match decEq a b with
    | isFalse h => isFalse (by simp [h])
    | isTrue h => isTrue (by rw [h])

instance (priority := high) instDecOption {α : Type u} [DecidableEq α] : DecidableEq (Option α) := decOption

def decProd {α : Type u} {β : Type v} [DecidableEq α] [DecidableEq β] : DecidableEq (α × β)
  | (a, b), (a', b') => match decEq a a' with
    | isFalse h => isFalse (by simp [h])
    | isTrue h => match decEq b b' with
      | isFalse h' => isFalse (by simp [h'])
      | isTrue h' => isTrue (by rw [h, h'])

instance (priority := high) instDecProd {α : Type u} {β : Type v} [DecidableEq α] [DecidableEq β] :
    DecidableEq (α × β) := decProd

def beqList {α : Type u} [BEq α] : List α → List α → Bool
  | [], [] => true
  | a :: as, b :: bs => match a == b with
    | true => beqList as bs
    | false => false
  | _, _ => false

@[csimp] theorem beqList_eq : @List.beq = @beqList := by
  funext α _ as bs
  induction as generalizing bs with
  | nil => cases bs <;> rfl
  | cons a as ih => cases bs with
    | nil => rfl
    | cons b bs => cases h : a == b <;> simp [beqList, List.beq, h, ← ih]

/-! ## Integers -/

def toNat : Int → Nat
  | .ofNat n => n
  | .negSucc _ => 0

@[csimp] theorem toNat_eq : @Int.toNat = @toNat := by
  funext i; cases i <;> rfl

end Shim
