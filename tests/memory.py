"""What a function holds at its peak, for tests that memory grows as it should."""

import torch


def peak_memory(function):
    """Bytes that the function has allocated at its peak, by PyTorch's own account."""
    with torch.profiler.profile(profile_memory=True) as profile:
        function()
    events = [e for e in profile.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak
