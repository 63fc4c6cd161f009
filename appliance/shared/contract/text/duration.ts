/**
 * Formats milliseconds: `0.4 s`, `59 s`, `1 min 13 s`, `1 h 5 min`. Less than 0 is 0: a clock was set back.
 */
export function formatDuration(duration: number): string {
  const milliseconds = Math.max(0, duration);
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a short time in milliseconds: `23 ms`, and from one second on like {@link formatDuration}. */
export function formatLatency(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : formatDuration(milliseconds);
}
