from paretofl.flower import server_app as app

__all__ = ["app"]
