"""The data-flow drawings of the notebooks: one description each, and the SVG that is made from it.

description  what a drawing shows: boxes in rows, arrows, residual connections, frames, words
style        sizes, and the colours with their one meaning each
layout       where each box, frame and row stands
routes       the way of each arrow, and where its words stand
svg          the elements of the picture
shown        the images in the notebooks
build        writes drawings/NAME.svg for each drawings/NAME.toml, and the images
"""
