//! Functions and classes that a function returns: called by whoever asked for them.

use super::worlds::shapes;
use super::*;

const F: &str = "def f(n=4):\n    cute.make_layout(n)\ndef pick():\n    return f\n";

fn follows(text: &str) {
    assert_eq!(shapes(text), Some(vec!["8".to_owned()]), "{text}");
}

fn is_open(text: &str) {
    assert_eq!(shapes(text), None, "{text}");
}

#[test]
fn what_is_returned_is_called_by_another_name() {
    follows(&format!("{F}def go():\n    k = pick()\n    k(8)\n"));
    follows(&format!("{F}def go():\n    pick()(8)\n"));
    follows(&format!("{F}def go():\n    k = pick()\n    cute.compile(k, 8)\n"));
    follows(&format!("{F}def again():\n    return pick()\ndef go():\n    k = again()\n    k(8)\n"));
    follows(&format!("{F}def both(x):\n    k = pick()\n    return x, k\ndef go():\n    x, k = both(2)\n    k(8)\n"));
    let only = F.split_once("def pick").unwrap().0;
    follows(&format!("{only}def go(x):\n    def inner():\n        return f\n    k = inner()\n    return k(8)\n"));
    let class = "class K:\n    def __init__(self, n=4):\n        self.n = n\n    def go(self):\n        cute.make_layout(self.n)\n";
    follows(&format!(
        "{class}class H:\n    pass\ndef pick(x):\n    kind = K if x else H\n    return x, kind\ndef go(x):\n    x, kind = pick(x)\n    kind(8).go()\n"
    ));
    let made = "def make():\n    @cute.jit\n    def g(n=4):\n        cute.make_layout(n)\n    return g\n";
    follows(&format!("{made}def go():\n    k = make()\n    cute.compile(k, 8)\n"));
}

/// It is looked at only, and the calls that are seen are all.
#[test]
fn what_is_returned_may_only_be_looked_at() {
    follows(&format!("{F}f(8)\ndef go(x):\n    k = pick()\n    return k is f, k.words(x)\n"));
}

#[test]
fn what_is_returned_is_open_where_others_may_have_it() {
    for rest in [
        "",
        "def go():\n    k = pick()\n    table(k)\n",
        "def go():\n    table(pick())\n",
        "def go():\n    k = [pick()]\n",
        "def go(self):\n    self.k = pick()\n",
        "def go(x):\n    k = x.k = pick()\n",
        "def go(x):\n    x.k = k = pick()\n",
        "def go(x):\n    x[8] = k = pick()\n",
        "def go(x):\n    x.k = \\\n    k = pick()\n",
        "def go(x):\n    (x.k,\n     k) = pick()\n",
        "@pick\nclass A:\n    pass\ndef go():\n    k = pick()\n",
        "def go():\n    if (k := pick()):\n        pass\n",
        "def go():\n    return [pick()]\n",
        "k = pick()\n",
        "def go():\n    global k\n    k = pick()\n",
        "class H:\n    k = pick()\n",
        "table(pick)\ndef go():\n    k = pick()\n",
        "def again():\n    return pick()\ntable(again())\n",
        "def again():\n    return pick()\n",
        "def go(x):\n    a = pick() if x else None\n    table(a)\n",
        "@pick\ndef g(n):\n    pass\ndef go():\n    k = pick()\n",
        "async def go():\n    k = await pick()\n",
    ] {
        is_open(&format!("{F}f(8)\n{rest}"));
    }
    for pick in [
        "    return {8: f}",
        "    return [f]",
        "    return 1, [f]",
        "    return lambda: f",
        "    yield f",
        "    return table(f)",
    ] {
        let f = F.replace("    return f", pick);
        is_open(&format!("{f}f(8)\ndef go():\n    k = pick()\n"));
    }
    let method = F.replace("def pick():\n    return f\n", "class H:\n    def pick(self):\n        return f\n");
    is_open(&format!("{method}f(8)\ndef go(h: H):\n    k = h.pick()\n"));
}

/// A name of another file.
#[test]
fn what_is_returned_is_followed_across_files() {
    let kernel = format!("{CUTE}{F}");
    let first = |caller: &str| {
        let python = read(&[("p/kernel.py", &kernel), ("t.py", caller)]);
        python.survey.layouts[0].layout.as_ref().map(|layout| layout.shape.tuple.to_string()).map_err(|why| why.reason)
    };
    assert_eq!(first("from p.kernel import pick\ndef go():\n    k = pick()\n    k(8)\n"), Ok("8".to_owned()));
    assert!(first("from p.kernel import pick\ndef go():\n    k = pick()\n    table(k)\n").is_err());
    assert!(first("from p.kernel import pick\nk = pick()\n").is_err());
}
