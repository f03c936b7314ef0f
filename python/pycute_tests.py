"""Runs pycute's own tests against `razorgirl.pycute`. They are those that flash-attn's sources bring along (CUTLASS, BSD-3-Clause).

usage: pycute_tests.py FOLDER    what spec-tests/fetch-corpora.sh prints
"""

import pathlib
import sys
import unittest

import razorgirl.pycute
from razorgirl import LayoutError

# Tests that pass with pycute and fail here, by name, each with the layouts on which and the reason. Nothing else may differ.
DEVIATIONS = {
    "test_complement.TestComplement.test_complement": {
        "layouts": [((4, 6), (1, 6)), ((4, 10), (1, 10))],
        "reason": "no complement exists: 4 does not divide 6 and 10, so addresses 4 and 5, or 8 and 9, are in no copy. pycute "
        "answers a layout that leaves them out, and the test asks of a complement only that it overlaps nowhere",
    }
}


def main():
    folders = list(pathlib.Path(sys.argv[1]).glob("flash-attn-*/**/test/python/pycute"))
    if len(folders) != 1:
        sys.exit(f"pycute's tests are in {len(folders)} folders below {sys.argv[1]}")
    sys.path.insert(0, str(folders[0]))
    sys.modules["pycute"] = razorgirl.pycute
    files = sorted(path.stem for path in folders[0].glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(files)
    deviating = []

    def helper(test, layout, inner):
        """The test goes on behind a layout that is listed, once that is refused as it has to be."""
        listed = [entry for entry in DEVIATIONS[test.id()]["layouts"] if entry == (layout.shape, layout.stride)]
        if not listed:
            return inner(test, layout)
        try:
            razorgirl.pycute.complement(layout)
        except LayoutError as refused:
            assert refused.code == "not_divisible"
            deviating.append(listed[0])
            return None
        raise AssertionError(f"{layout} is listed as a deviation, and is answered")

    module = sys.modules["test_complement"].TestComplement
    inner = module.helper_test_complement
    module.helper_test_complement = lambda test, layout: helper(test, layout, inner)
    outcome = unittest.TextTestRunner(verbosity=0).run(suite)
    expected = [layout for deviation in DEVIATIONS.values() for layout in deviation["layouts"]]
    if not outcome.wasSuccessful() or outcome.testsRun < 10 or sorted(deviating) != sorted(expected):
        sys.exit(f"{outcome.testsRun} tests run, {len(outcome.failures) + len(outcome.errors)} failed, deviations {deviating}")
    print(f"{outcome.testsRun} of pycute's own tests pass, but for {len(deviating)} layouts of {', '.join(DEVIATIONS)}")


main()
