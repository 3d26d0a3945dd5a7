/** `0.4 ms`, `12 ms`, `1.5 s` */
export function toDuration(durationMs: number): string {
  if (durationMs >= 1_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  return `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`;
}

/** `0.3 s`, `12.0 s` */
export function toSeconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

/** `'14:03:09'`, in local time. */
export function toClock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
