import type { RouteMatch } from '../../../server-runtime/routing/create-matcher.ts';
import type { Route } from '../../../server-runtime/routing/route.ts';

/** The contract of matching, written without regard to speed: every route is tried, the most static one wins. */
export function matchNaively(
  routes: readonly Route[],
  method: string,
  pathname: string,
): RouteMatch<Route> {
  let segments: string[];
  try {
    segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { kind: 'bad-path' };
  }
  const ofPath = routes.filter((route) => fits(route, segments));
  const served = method === 'HEAD' ? 'GET' : method;
  const [route] = ofPath
    .filter((each) => each.method === served)
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  if (route !== undefined) return { kind: 'matched', route, params: toParams(route, segments) };
  if (ofPath.length === 0) return { kind: 'not-found' };
  const methods = new Set<string>(ofPath.map((each) => each.method));
  if (methods.has('GET')) methods.add('HEAD');
  const allow = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) =>
    methods.has(each),
  );
  return { kind: 'method-not-allowed', allow: [...allow, 'OPTIONS'] };
}

/** The segments of a route, decoded; a parameter keeps its colon. */
function segmentsOf({ path }: Route): readonly string[] {
  return path
    .split('/')
    .filter(Boolean)
    .map((segment) => (isParam(segment) ? segment : decodeURIComponent(segment)));
}

function isParam(segment: string): boolean {
  return segment.startsWith(':');
}

function fits(route: Route, segments: readonly string[]): boolean {
  const own = segmentsOf(route);
  return (
    own.length === segments.length &&
    own.every((segment, index) => isParam(segment) || segment === segments[index])
  );
}

/** Sorts static text before parameters, the leftmost segment first. */
function rank(route: Route): string {
  return segmentsOf(route)
    .map((segment) => (isParam(segment) ? '1' : '0'))
    .join('');
}

function toParams(route: Route, segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    segmentsOf(route).flatMap((segment, index) =>
      isParam(segment) ? [[segment.slice(1), segments[index] ?? '']] : [],
    ),
  );
}
