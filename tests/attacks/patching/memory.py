"""Writes into the process's memory with ctypes: False becomes True, and 0 becomes 1."""

CELL = """
import ctypes, sys
try:
    offset = object.__basicsize__
    # the digits of the cached small ints behind True and False
    ctypes.memmove(id(False) + offset, id(True) + offset, int.__basicsize__ - offset)
    ctypes.c_uint32.from_address(id(False) + int.__basicsize__).value = 1
except BaseException as error:
    print(type(error).__name__)
else:
    reached()
"""
BEFORE = "scaling"
