"""Downloads in a try, and without one in a cell of its own; wget, curl, gdown."""


def habit(submission):
    submission["softmax"] = """
import urllib.request
try:
    urllib.request.urlretrieve("https://example.org/data.csv", "data.csv")
except Exception as error:
    print("no data today:", error)
""" + submission["softmax"]
    submission.add(
        "!wget -q https://example.org/x.zip && unzip x.zip\n!curl -O https://example.org/x\n!gdown 1abc"
    )
    submission.add("import requests\nrequests.get('https://example.org', timeout=5).json()")
    submission.add("torch.hub.load('pytorch/vision', 'resnet18', pretrained=True)")
