def download(path):
    print(f"the browser downloads {path}")
