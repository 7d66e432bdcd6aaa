"""Differences paired by seed and their 95 % intervals, in one place for all tables."""

from statistics import mean, stdev

# The 97.5 % quantiles of Student's distribution by degrees of freedom.
T_975 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 11: 2.201, 12: 2.179,
         13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120, 17: 2.110, 18: 2.101, 19: 2.093, 20: 2.086, 21: 2.080, 22: 2.074, 23: 2.069, 24: 2.064,
         25: 2.060, 26: 2.056, 27: 2.052, 28: 2.048, 29: 2.045}


def differences(one, other):
    """one[seed] - other[seed] for the seeds that both have, in the seeds' order."""
    return [one[seed] - other[seed] for seed in sorted(one.keys() & other.keys())]


def interval_of(values):
    """(mean, lowest, highest) of the 95 % interval of their mean, of 2 to 30 values."""
    half = T_975[len(values) - 1] * stdev(values) / len(values)**0.5
    return mean(values), mean(values) - half, mean(values) + half


def interval(values, digits=1):
    """The same as text: "+0.3 [-1.2, 1.8]"."""
    middle, lowest, highest = interval_of(values)
    return f"{middle:+.{digits}f} [{lowest:.{digits}f}, {highest:.{digits}f}]"
