"""What the adapters of `razorgirl conform` share: JSON lines in, JSON lines out, and packages without what they import at their top."""

import importlib.util
import json
import os
import signal
import sys
import types


class Missing(Exception):
    """The library has no such operation, or none of this kind."""


class Died(Exception):
    """A process that answers for the library has ended, by this signal."""


def missing(*_):
    raise Missing


def tree(value):
    """Lists as tuples."""
    return tuple(map(tree, value)) if isinstance(value, list) else value


class Layouts:
    """Values of a library whose layouts have `shape` and `stride`: tuples of integers and None, there and back."""

    def __init__(self, kind, make=None):
        self.kind = kind
        self.make = make or kind

    def read(self, value):
        if isinstance(value, dict):
            return self.make(self.read(value["shape"]), self.read(value["stride"]))
        return tuple(map(self.read, value)) if isinstance(value, list) else value

    def write(self, value):
        if isinstance(value, self.kind):
            return {"shape": self.write(value.shape), "stride": self.write(value.stride)}
        return [self.write(item) for item in value] if isinstance(value, (list, tuple)) else value

    def shape(self, value):
        return value.shape if isinstance(value, self.kind) else value

    def on(self, operation):
        """The operation with arguments and result as they stand in a request."""
        return lambda *values: self.write(operation(*map(self.read, values)))


def refused(code, message):
    return {"error": {"code": code, "message": str(message)[:300], "help": []}}


def ended(name):
    """An assertion is a refusal; other ends are not."""
    return refused("aborted" if name == "SIGABRT" else "crashed", f"{name} in a child")


def answer(operations, capabilities, request):
    op = request["op"]
    if op == "ops":
        return {"result": sorted([*operations, "hello"])}
    if op == "hello":
        return {"result": {"peer": capabilities}}
    if op not in operations or "mode" in request:
        return refused("unknown_op", f"{capabilities['name']} has no {op} of this kind")
    try:
        return {"result": operations[op](*request["args"])}
    except Missing:
        return refused("unknown_op", f"{capabilities['name']} has no {op} of this kind")
    except Died as death:
        return ended(str(death))
    except Exception as error:  # whatever a library raises is how it refuses
        lines = str(error).strip().splitlines()
        return refused("refused", f"{type(error).__name__}: {lines[-1] if lines else ''}")


class Child:
    """Answers requests any of which may end the process: a child does, and another one once it has died; how it ended is said."""

    def __init__(self, respond):
        self.respond = respond
        self.process = None

    def start(self):
        asked, ask = os.pipe()
        answer, answered = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(ask)
            os.close(answer)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(asked) as requests, os.fdopen(answered, "w") as answers:
                for line in requests:
                    print(json.dumps(self.respond(json.loads(line))), file=answers, flush=True)
            os._exit(0)
        os.close(asked)
        os.close(answered)
        self.requests, self.answers = os.fdopen(ask, "w"), os.fdopen(answer)

    def __call__(self, request):
        if self.process is None:
            self.start()
        print(json.dumps(request), file=self.requests, flush=True)
        line = self.answers.readline()
        if line:
            return json.loads(line)
        self.requests.close()
        self.answers.close()
        status = os.waitpid(self.process, 0)[1]
        self.process = None
        return ended(signal.Signals(os.WTERMSIG(status)).name) if os.WIFSIGNALED(status) else refused("crashed", "a child left")


def serve(operations, capabilities, fork=False):
    def respond(request):
        return answer(operations, capabilities, request)

    guarded = Child(respond) if fork else respond
    for line in sys.stdin:
        request = json.loads(line)
        # what is not there asks nothing of the library
        given = guarded(request) if request["op"] in operations else respond(request)
        print(json.dumps({"id": request["id"], **given}), flush=True)


def bare(*names):
    """Packages that can be imported from, without running what they import at their top."""
    for name in names:
        parent, _, last = name.rpartition(".")
        if parent:
            path = [os.path.join(folder, last) for folder in sys.modules[parent].__path__]
        else:
            path = list(importlib.util.find_spec(name).submodule_search_locations)
        module = types.ModuleType(name)
        module.__path__ = path
        sys.modules[name] = module
        if parent:
            setattr(sys.modules[parent], last, module)


class Absent(types.ModuleType):
    """A package that the library imports at its top and its layout algebra has no use for: every name is an empty class."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {})
        setattr(self, name, made)
        return made


class AbsentFinder:
    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            return importlib.util.spec_from_loader(name, self)
        return None

    def create_module(self, spec):
        return Absent(spec.name)

    def exec_module(self, module):
        pass


def absent(*names):
    sys.meta_path.append(AbsentFinder(names))
