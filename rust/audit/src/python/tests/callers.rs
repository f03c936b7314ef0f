//! What calls pass, wherever they stand and however they are written.

use super::worlds::shapes;
use super::*;

/// The shapes of the first layout of several files, in order, and why it is not resolved if it is not.
fn all(files: &[(&str, &str)]) -> Result<Vec<String>, Reason> {
    let python = read(files);
    let found = &python.survey.layouts[0];
    if let Err(why) = &found.layout {
        return Err(why.reason);
    }
    let mut shapes: Vec<String> = found.cases.iter().map(|case| case.layout.shape.tuple.to_string()).collect();
    shapes.extend(found.cases.is_empty().then(|| found.layout.as_ref().unwrap().shape.tuple.to_string()));
    shapes.sort_unstable();
    Ok(shapes)
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

const F: &str = "def f(n=4):\n    cute.make_layout(n)\n";

fn one(text: &str) -> Result<Vec<String>, Reason> {
    all(&[("kernel.py", &format!("{CUTE}{text}"))])
}

/// A file that makes no layout calls one that does, straight or through another.
#[test]
fn files_that_import_kernels_are_read() {
    let kernel = format!("{CUTE}{F}");
    let files =
        |caller: &str| all(&[("p/kernel.py", &kernel), ("p/__init__.py", "from .kernel import f\n"), ("t.py", caller)]);
    assert_eq!(files("from p.kernel import f\nf(8)\n"), Ok(vec!["8".to_owned()]));
    assert_eq!(files("from p import f\nf(8)\n"), Ok(vec!["8".to_owned()]));
    assert_eq!(files("from p.kernel import f as g\ng(8)\n"), Ok(vec!["8".to_owned()]));
    assert_eq!(files("import p.kernel as k\nk.f(8)\n"), Ok(vec!["8".to_owned()]));
    let tried = "try:\n    from p import f\nexcept ImportError:\n    f = None\nf(8)\n";
    assert_eq!(files(tried), Ok(vec!["8".to_owned()]));
    // Another one of the name.
    assert_eq!(files("def f(n):\n    pass\nf(8)\n"), Ok(vec!["4".to_owned()]));
    let listed = files("from p import f\nimport json\nf(json.load(x))\n");
    assert!(listed.is_err(), "{listed:?}");
}

#[test]
fn what_the_dsl_compiles_is_called() {
    assert_eq!(shapes(&format!("{F}cute.compile[options](f, 8)\n")), Some(words(&["8"])));
    assert_eq!(
        shapes(&format!("{F}def go(x):\n    launcher = f\n    cute.compile(launcher, 8)\n")),
        Some(words(&["8"]))
    );
    let two = "def g(n=2):\n    pass\ndef go(x):\n    if x:\n        launcher = f\n    else:\n        launcher = g\n    cute.compile(launcher, 8)\n";
    assert_eq!(shapes(&format!("{F}{two}")), Some(words(&["8"])));
    // Others may have it.
    assert_eq!(shapes(&format!("{F}def go(x):\n    launcher = f\n    cute.compile(x, launcher)\n")), None);
}

/// The DSL makes a run-time value of each number that a host passes.
#[test]
fn numbers_of_a_host_are_known_at_run_time() {
    let f = |annotation: &str| one(&format!("@cute.jit\ndef f(n: {annotation}):\n    cute.make_layout(n)\n"));
    for numbers in ["int", "tuple", "Tuple[int, int]", "Optional[int]"] {
        assert_eq!(f(numbers), Err(Reason::RunTime), "{numbers}");
    }
    for other in ["cutlass.Constexpr[int]", "Config", "cute.Shape"] {
        assert_eq!(f(other), Err(Reason::Unlisted), "{other}");
    }
    assert_eq!(one("def f(n: int):\n    cute.make_layout(n)\n"), Err(Reason::Unlisted));
    // What code that the DSL runs passes, it passes as it is.
    let called = "@cute.jit\ndef f(n: int):\n    cute.make_layout(n)\n@cute.jit\ndef g():\n    f(8)\n";
    assert_eq!(one(called), Ok(vec!["8".to_owned()]));
    let constant =
        "@cute.jit\ndef f(n: int):\n    cute.make_layout(n)\n@cute.jit\ndef g(n: cutlass.Constexpr):\n    f(n)\n";
    assert_eq!(one(constant), Err(Reason::Unlisted));
}

#[test]
fn what_a_process_is_started_with_is_known_at_run_time() {
    for value in [
        "int(os.environ.get(\"N\", \"4\"))",
        "os.cpu_count()",
        "argparse.ArgumentParser().parse_args().n",
        "cute.sym_int()",
    ] {
        assert_eq!(
            one(&format!("import os, argparse\nL = cute.make_layout({value})\n")),
            Err(Reason::RunTime),
            "{value}"
        );
    }
}

/// An attribute that is handed on counts for the class of which it is.
#[test]
fn attributes_that_are_handed_on_know_their_object() {
    let class = "class K:\n    def f(self, n=4):\n        cute.make_layout(n)\n    def go(self):\n        self.f(8)\n";
    assert_eq!(shapes(class), Some(words(&["8"])));
    let other = "class H:\n    def __init__(self):\n        self.f = 4\n    def f(self):\n        pass\n";
    assert_eq!(shapes(&format!("{class}{other}    def g(self):\n        table(self.f)\n")), Some(words(&["8"])));
    assert_eq!(shapes(&format!("{class}    def g(self):\n        table(self.f)\n")), None);
    assert_eq!(shapes(&format!("{class}class L(K):\n    def g(self):\n        table(self.f)\n")), None);
    assert_eq!(shapes(&format!("{class}def g(k: K):\n    table(k.f)\n")), None);
    assert_eq!(shapes(&format!("{class}def g(k):\n    table(k.f)\n")), None);
    // A kernel is launched by what the DSL runs.
    let kernel = class.replace("    def f(", "    @cute.kernel\n    def f(");
    assert_eq!(shapes(&format!("{kernel}def g(k):\n    table(k.f)\n")), Some(words(&["8"])));
    assert_eq!(shapes(&format!("{kernel}@cute.jit\ndef g(k):\n    table(k.f)\n")), None);
    // A function of a file is no attribute of what a function is given.
    assert_eq!(shapes(&format!("{F}f(8)\ndef g(k):\n    table(k.f)\n")), Some(words(&["8"])));
    let module = [("m.py", &*format!("{CUTE}{F}f(8)\n")), ("t.py", "import m\ntable(m.f)\n")];
    assert!(all(&module).is_err());
}

#[test]
fn dictionaries_and_lists_are_unpacked() {
    assert_eq!(shapes(&format!("{F}d = {{'n': 8}}\nf(**d)\n")), Some(words(&["8"])));
    assert_eq!(shapes(&format!("{F}f(**dict(n=8))\n")), Some(words(&["8"])));
    assert_eq!(shapes(&format!("{F}d = dict(m=8)\nf(**d)\n")), Some(words(&["4"])));
    assert_eq!(shapes(&format!("{F}d = dict(n=8)\nd['n'] = 16\nf(**d)\n")), None);
    assert_eq!(shapes(&format!("{F}d = dict(n=8)\nd.update(x)\nf(**d)\n")), None);
    assert_eq!(shapes(&format!("{F}f(**x)\n")), None);
    // Items of another dictionary change.
    assert_eq!(shapes(&format!("{F}d = dict(n=8)\ne = {{}}\ne[1] = 2\nf(**d)\n")), Some(words(&["8"])));
    let g = "def f(a, b, n=4):\n    cute.make_layout(n)\n";
    assert_eq!(shapes(&format!("{g}f(*(1, 2), 8)\n")), Some(words(&["8"])));
    assert_eq!(shapes(&format!("{g}f(1, *(2, 8), 16)\n")), Some(words(&["8"])));
    assert_eq!(shapes(&format!("{g}f(*x, 8)\n")), None);
}

/// A decorator of the files may call what it is around with anything, but for one that hands on what it is given.
#[test]
fn decorators_that_hand_on_are_looked_through() {
    let wraps = "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def w(*args, **kwargs):\n        BODY\n    return w\n";
    let text = |body: &str| format!("{}@logged\n{F}f(8)\n", wraps.replace("BODY", body));
    let open = |body: &str| assert_eq!(one(&text(body)).ok(), None, "{body}");
    assert_eq!(one(&text("return f(*args, **kwargs)")), Ok(vec!["8".to_owned()]));
    // What a comment calls is not called.
    assert_eq!(one(&text("# not f(4)\n        return f(*args, **kwargs)  # with f()")), Ok(vec!["8".to_owned()]));
    open("x = '#'; return f(2 * args[0])");
    open("return f(2 * args[0])");
    open("return f(*args, n=4)");
    open("kwargs['n'] = 16\n        return f(*args, **kwargs)");
    open("args = (16,)\n        return f(*args, **kwargs)");
}
