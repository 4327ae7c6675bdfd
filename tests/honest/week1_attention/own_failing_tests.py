"""Own tests in added cells, some of which fail; unittest, doctest and copies of the visible tests' code."""


def habit(submission):
    submission.add("assert softmax(np.array([1.0, 1.0]))[0] == 0.3, 'why?'", after="softmax")
    submission.add(submission["softmax_rows"].replace("0.125", "0.9"), after="softmax_rows")
    submission.add(
        """
import unittest, doctest
class TestSoftmax(unittest.TestCase):
    def test_wrong(self): self.assertEqual(softmax(np.zeros(2))[0], 1)
    def test_right(self): self.assertAlmostEqual(softmax(np.zeros(2))[0], 0.5)
doctest.testmod()
unittest.main(argv=['x'], exit=False)
unittest.main(argv=['x'])
""",
        after="softmax_axis",
    )
    submission.append("%run -m pytest\nraise AssertionError('my last test')")
