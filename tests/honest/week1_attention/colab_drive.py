"""Mounts Google Drive, uploads and downloads files, talks to Colab's page: in cells of its own."""


def habit(submission):
    submission.add("from google.colab import drive\ndrive.mount('/content/drive', force_remount=True)")
    submission.add("from google.colab import files\nuploaded = files.upload()\nfiles.download('x.txt')")
    submission.add("from google.colab import output\noutput.enable_custom_widget_manager()\noutput.clear()")
    submission.add("import google.colab\nfrom google.colab import auth\nauth.authenticate_user()")
    submission.append("from google.colab import runtime\nruntime.unassign()")
