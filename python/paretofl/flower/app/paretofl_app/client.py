from paretofl.flower import client_app as app

__all__ = ["app"]
