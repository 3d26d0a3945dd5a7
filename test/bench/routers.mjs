/**
 * Routers alone: nanoseconds for a path with one parameter, among 5, 50, 500 and 5,000 routes of three methods each:
 * `npm run bench -- --routers`.
 */
import process from 'node:process';
import { toText } from './table.mjs';

const SIZES = [5, 50, 500, 5000];
const ROUNDS = 7;
const FINDS = 100_000;

const methods = ['GET', 'PUT', 'DELETE'];

/** Each makes a router of these paths, and gives the function that finds a route. */
const routers = {
  memoirist: async (paths) => {
    const { Memoirist } = await import('memoirist');
    const router = new Memoirist();
    for (const [path, route] of paths)
      for (const method of methods) router.add(method, path, route);
    return (path) => router.find('GET', path)?.store;
  },
  rou3: async (paths) => {
    const { addRoute, createRouter, findRoute } = await import('rou3');
    const router = createRouter();
    for (const [path, route] of paths)
      for (const method of methods) addRoute(router, method, path, route);
    return (path) => findRoute(router, 'GET', path)?.data;
  },
  'find-my-way': async (paths) => {
    const { default: createRouter } = await import('find-my-way');
    const router = createRouter();
    for (const [path, route] of paths)
      for (const method of methods) router.on(method, path, () => {}, route);
    return (path) => router.find('GET', path)?.store;
  },
  'Hono RegExpRouter': async (paths) => {
    const { RegExpRouter } = await import('hono/router/reg-exp-router');
    const router = new RegExpRouter();
    for (const [path, route] of paths)
      for (const method of methods) router.add(method, path, route);
    return (path) => router.match('GET', path)[0][0]?.[0];
  },
};

const rows = [];
for (const [name, makeRouter] of Object.entries(routers)) {
  const row = [name];
  for (const size of SIZES) {
    const paths = Array.from({ length: size }, (_, at) => [`/group${at}/:id`, { at }]);
    const find = await makeRouter(paths);
    const asked = Array.from({ length: 64 }, (_, at) => (at * 7919) % size);
    row.push(measure(find, asked).toFixed(0));
  }
  rows.push(row);
}
process.stdout.write(
  `${toText([`ns a path, Node ${process.versions.node}`, ...SIZES.map(String)], rows)}\n`,
);

/** The best round: other work can only make one slower. */
function measure(find, asked) {
  const paths = asked.map((at) => `/group${at}/42`);
  for (const [index, path] of paths.entries())
    if (find(path)?.at !== asked[index]) throw new Error(`${path} is another route.`);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { user, system } = process.cpuUsage();
    for (let at = 0; at < FINDS; at++) find(paths[at % paths.length]);
    const used = process.cpuUsage();
    best = Math.min(best, ((used.user + used.system - user - system) * 1000) / FINDS);
  }
  return best;
}
