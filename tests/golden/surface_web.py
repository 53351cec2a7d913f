"""What the web app declares and sends."""


def collect_in_process():
    return {}
