/**
 * Longest name of a file or folder, in bytes: systems take 255, and an ending, or what a tool adds, must fit in too.
 */
const MAX_BYTES = 240;

/**
 * Why something cannot be the name of a file or folder on every system that may check the project out, as it follows a
 * colon; undefined where it can.
 *
 * `findNameProblem('con')` gives `'Windows reserves it for a device'`.
 */
export function findNameProblem(name: string): string | undefined {
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_BYTES)
    return `it is ${bytes} bytes long, and the longest that every system takes is ${MAX_BYTES}`;
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)) return 'Windows reserves it for a device';
  if (/[. ]$/.test(name)) return 'Windows takes no name that ends in a dot or a blank';
  const refused = /[<>:"|?*]/.exec(name)?.[0];
  return refused === undefined ? undefined : `Windows takes no name with ${refused}`;
}

export function toShortName(name: string): string {
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}
