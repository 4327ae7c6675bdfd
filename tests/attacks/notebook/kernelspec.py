"""Asks for another kernel, in a folder above, in another language, with a command line and an environment of its own."""

SHOWS = {"status": "graded"}


def attack(submission):
    submission.notebook["metadata"].update(
        kernelspec={
            "name": "../../../../bin/sh",
            "display_name": "; rm -rf ~",
            "language": "bash",
            "argv": ["/bin/sh", "-c", "true"],
            "env": {"PYTHONPATH": ".", "LD_PRELOAD": "./x.so", "COURSE_UNSAFE": "1"},
            "metadata": {"kernel_provisioner": {"provisioner_name": "local-provisioner", "config": {}}},
        },
        language_info={
            "name": "bash",
            "file_extension": ".sh",
            "nbconvert_exporter": "script",
            "version": [1],
        },
        course={"from_scratch": [], "limits": {"test_seconds": 0}, "names": ["check_close"]},
        celltoolbar="Create Assignment",
        widgets={"application/vnd.jupyter.widget-state+json": {"state": {"x": {"model_name": "passed"}}}},
        papermill={"status": "completed", "exception": None},
    )
    submission.notebook["nbformat"], submission.notebook["nbformat_minor"] = 4, 9999
