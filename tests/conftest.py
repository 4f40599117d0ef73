"""What all tests share: hypothesis takes the time that it needs, for no test asks for seconds."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
