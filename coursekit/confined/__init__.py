"""Work on students' text in confined and timed processes, since some texts keep a library busy for hours.

worker    sends work to the process and waits for it, in a program that must not hang
process   forks a confined process for each piece of work
"""
