"""What every program shares: options, files, progress, signals and executors of jobs."""
