/**
 * Stdout for what fills the whole window. It keeps the lines above the window, which are the user's: Ink erases them with the
 * window where it draws anew after a resize, and the alternate screen does not save them. And it keeps the news of a resize from Ink itself,
 * the first that asks for them: Ink would draw at once, before the screens have their new size, and rows that are too wide scroll the window.
 */
export function screenOutput(): NodeJS.WriteStream {
  const { stdout } = process;
  const write = (part: unknown, ...rest: unknown[]): boolean =>
    Reflect.apply(stdout.write, stdout, [
      typeof part === 'string' ? part.replaceAll(eraseScrollback, '') : part,
      ...rest,
    ]);
  let isAsked = false;
  const on = (...[event, listener]: Parameters<typeof stdout.on>): NodeJS.WriteStream => {
    if (event === 'resize' && !isAsked) isAsked = true;
    else stdout.on(event, listener);
    return stdout;
  };
  return new Proxy(stdout, {
    get: (target, name) => {
      if (name === 'write') return write;
      if (name === 'on') return on;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const eraseScrollback = '\u001B[3J';

/** Empties the window, and leads to its first column and row. */
export const eraseScreen = '\u001B[2J\u001B[H';
