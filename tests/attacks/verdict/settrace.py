"""Traces every frame: jumps over lines with an assert, and puts the expected value into a variable called got."""

CELL = """
import sys, threading, linecache

def trace(frame, event, argument):
    if "coursekit" not in frame.f_code.co_filename and "<" not in frame.f_code.co_filename:
        return None  # with all of IPython's lines traced the kernel gets nowhere
    if "kernel/agent" in frame.f_code.co_filename:
        reached()
    try:
        if "want" in frame.f_locals:
            frame.f_locals["got"] = frame.f_locals["want"]
        if event == "line" and linecache.getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith("assert"):
            frame.f_lineno += 1
        frame.f_trace_lines = True
    except Exception:
        pass
    return trace

threading.settrace(trace)
sys.settrace(trace)
frame = sys._getframe()
while frame:
    frame.f_trace = trace
    frame = frame.f_back
"""
BEFORE = "scaling"
