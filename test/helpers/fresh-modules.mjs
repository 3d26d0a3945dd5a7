import module from 'node:module';

// Hooks by which a process loads the files of projects anew in each turn: their URLs get its number.

const notOfProjects = ['dist', 'test/helpers'].map(
  (name) => new URL(`../../${name}/`, import.meta.url).href,
);
let turn = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Gives a function that begins the next turn. */
export function followTurns() {
  // From Node 22.15 on hooks run on the thread itself.
  if (module.registerHooks) module.registerHooks({ resolve });
  else module.register(import.meta.url, { data: turn });
  return () => Atomics.add(turn, 0, 1);
}

/** On the thread of hooks of Node 20. */
export function initialize(shared) {
  turn = shared;
}

export function resolve(specifier, context, next) {
  const found = next(specifier, context);
  return found instanceof Promise ? found.then(toTurn) : toTurn(found);
}

function toTurn(found) {
  const { url } = found;
  const isOfPackage = /\/node_modules\/(?!\.capix\/)/.test(url);
  if (!url.startsWith('file:') || isOfPackage || notOfProjects.some((each) => url.startsWith(each)))
    return found;
  const fresh = new URL(url);
  fresh.searchParams.set('turn', Atomics.load(turn, 0));
  return { ...found, url: fresh.href };
}
