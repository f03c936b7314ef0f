module

public import Lean.Data.Json

@[expose] public section

/-!
# The oracle's shell: JSON lines in, JSON lines out

Everything here is plumbing. What an operation means is in `Spec`; which operation is called what is in `Oracle.Table`.
The protocol is described in `rust/protocol/PROTOCOL.md`.
-/

namespace Oracle

open Lean (Json)

/-- A refusal: a code of the protocol, a sentence with the numbers that failed, and ways out. -/
structure OracleError where
  code : String
  message : String
  help : List String := []
  /-- what shows that nothing but a refusal is right -/
  witness : Option Json := none

/-- What an operation answers: the fields beside `id`, normally `[("result", v)]`, or a refusal. -/
abbrev Answer := Except OracleError (List (String × Json))

/-- An operation of the protocol: its name, and what it makes of `args`. -/
structure Op where
  name : String
  run : List Json → Answer
  /-- instead of `run` where the request says `"mode":NAME` -/
  modes : List (String × (List Json → Answer)) := []
  /-- `ops` names it -/
  listed : Bool := true

/-! ## Writing an answer -/

/-- `,"name":value` for each field. Written by hand so that `id` stays first, as the protocol shows it. -/
def fieldsText (fields : List (String × Json)) : String :=
  match fields with
  | [] => ""
  | (name, value) :: rest => "," ++ (Json.str name).compress ++ ":" ++ value.compress ++ fieldsText rest

/-- One line of output, without its line end. -/
def answerLine (id : Json) (fields : List (String × Json)) : String :=
  "{\"id\":" ++ id.compress ++ fieldsText fields ++ "}"

/-- One line of output that refuses. -/
def errorLine (id : Json) (e : OracleError) : String :=
  answerLine id [("error", Json.mkObj
    ([("code", .str e.code), ("message", .str e.message), ("help", .arr (e.help.map Json.str).toArray)] ++
      match e.witness with
      | some w => [("witness", w)]
      | none => []))]

/-! ## What can be told before parsing

`Json.parse` recurses with the nesting of its input, and multiplies an exponent out: `1e100000` would be a number of
100,000 digits. Both are found by one look at the characters, and refused. -/

/-- State of that look. -/
structure Scan where
  depth : Nat := 0
  deepest : Nat := 0
  inString : Bool := false
  escaped : Bool := false
  afterDigit : Bool := false
  exponent : Bool := false

/-- One character further. -/
def Scan.step (s : Scan) (c : Char) : Scan :=
  if s.inString then
    if s.escaped then { s with escaped := false }
    else if c == '\\' then { s with escaped := true }
    else if c == '"' then { s with inString := false }
    else s
  else if c == '"' then { s with inString := true, afterDigit := false }
  else if c == '[' || c == '{' then
    { s with depth := s.depth + 1, deepest := max s.deepest (s.depth + 1), afterDigit := false }
  else if c == ']' || c == '}' then { s with depth := s.depth - 1, afterDigit := false }
  else if c.isDigit then { s with afterDigit := true }
  else if c == 'e' || c == 'E' then { s with exponent := s.exponent || s.afterDigit, afterDigit := false }
  else { s with afterDigit := c == '.' && s.afterDigit }

/-- Longest line that is read: 16 MiB. -/
def maxBytes : Nat := 16777216

/-- Deepest nesting of a whole request that is parsed; operations bound the nesting of their arguments to 64. -/
def maxNesting : Nat := 100

/-- The refusal that a line deserves whatever it says, if any. -/
def refuseUnread (text : String) : Option OracleError :=
  let seen := text.foldl Scan.step {}
  if text.utf8ByteSize > maxBytes then
    some { code := "too_large", message := s!"a line of {text.utf8ByteSize} bytes is over 16 MiB" }
  else if seen.deepest > maxNesting then
    some { code := "too_large", message := s!"nesting of {seen.deepest} is over 64" }
  else if seen.exponent then
    some { code := "parse", message := "a number has an exponent", help := ["write the integer out"] }
  else none

/-! ## Answering -/

/-- The operation of that name. -/
def findOp (ops : List Op) (name : String) : Option Op :=
  match ops with
  | [] => none
  | op :: rest => if op.name == name then some op else findOp rest name

/-- A name put into its place among sorted names. -/
def insertName (name : String) (sorted : List String) : List String :=
  match sorted with
  | [] => [name]
  | other :: rest => if name < other then name :: sorted else other :: insertName name rest

/-- All listed names, sorted: what `ops` answers. -/
def opNames (ops : List Op) : List String :=
  match ops with
  | [] => []
  | op :: rest => if op.listed then insertName op.name (opNames rest) else opNames rest

/-- What answers a request with this mode; one that the operation does not have changes nothing. -/
def runOf (run : List Json → Answer) (mode : String) (modes : List (String × (List Json → Answer))) :
    List Json → Answer :=
  match modes with
  | [] => run
  | (name, other) :: rest => if name == mode then other else runOf run mode rest

/-- Answers a request that has been read. -/
def answerRequest (ops : List Op) (id : Json) (name : String) (args : List Json) (mode : String) : String :=
  if name == "ops" then
    answerLine id [("result", .arr ((opNames ops).map Json.str).toArray)]
  else
    match findOp ops name with
    | none => errorLine id { code := "unknown_op", message := s!"there is no operation {name}", help := opNames ops }
    | some op =>
      match runOf op.run mode op.modes args with
      | .ok fields => answerLine id fields
      | .error e => errorLine id e

/-- Answers one line, whatever it holds. -/
def answer (ops : List Op) (text : String) : String :=
  match refuseUnread text with
  | some e => errorLine .null e
  | none =>
    match Json.parse text with
    | .error e => errorLine .null { code := "parse", message := s!"not JSON: {e}" }
    | .ok request =>
      let id := match request.getObjVal? "id" with
        | .ok id => id
        | .error _ => .null
      match request.getObjVal? "op", request.getObjVal? "args" with
      | .ok (.str name), .ok (.arr args) =>
        let mode := match request.getObjVal? "mode" with
          | .ok (.str mode) => mode
          | _ => "strict"
        answerRequest ops id name args.toList mode
      | .ok (.str _), _ => errorLine id { code := "parse", message := "`args` must be an array" }
      | _, _ => errorLine id
          { code := "parse", message := "a request is an object with a string `op` and an array `args`" }

/-- Reads to the end of the input, one answer a line. -/
partial def loop (ops : List Op) (input output : IO.FS.Stream) : IO Unit := do
  let text ← input.getLine
  if text.isEmpty then return
  output.putStrLn (answer ops text)
  output.flush
  loop ops input output

/--
The whole oracle: `public def main : IO Unit := Oracle.serve table`.

The loop has a thread of its own because only there the stack can be chosen (`lean --tstack`), and the process ends by
`exit` because the WebAssembly build's own status at the end of `main` is arbitrary.
-/
def serve (ops : List Op) : IO Unit := do
  let input ← IO.getStdin
  let output ← IO.getStdout
  let task ← IO.asTask (loop ops input output) .dedicated
  IO.ofExcept task.get
  IO.Process.exit 0

end Oracle
