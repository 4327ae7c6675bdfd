"""encode_word: joins the symbols with spaces and uses str.replace.

Question: encode_word
Mistakes: slip
Deserves: 60 %
Fails: encode_word_order, encode_word_hidden_random
Tell: Pieces are joined across the boundaries of symbols, for example by str.replace: (e, s) must not be found
    in e st.
"""


def encode_word(symbols, merges):
    word = " ".join(symbols)
    for left, right in merges:
        word = word.replace(left + " " + right, left + right)
    return word.split()
