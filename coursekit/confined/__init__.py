"""Work on what students wrote, in confined and timed processes: for libraries that some texts keep busy for hours.

worker    has it done, from a program that must go on
process   forks a locked-in process for each piece of work
"""
