"""A decoder-only language model of week 8's parts, trained on a novel: the optional part of that week.

parts     the names of week 8's notebook, as its reference answers define them
training  text, tokens, training
storage   parameters and vocabulary as one file
__main__  trains the model anew and writes its file, its log and its samples
"""
