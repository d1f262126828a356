"""`cutcard bench`: speed, always beside a bare baseline that was measured in the same run."""
