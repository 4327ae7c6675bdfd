"""Work on what students wrote, in confined and timed processes: for libraries that some texts keep busy for hours.

worker    asks for work, from a program that must go on
process   forks a confined process for each piece of work
"""
