import { FACTS } from '../document/facts.ts';
import { recordOf } from '../document/schema-json.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** Finds schemas that the document calls otherwise than their authors did: another one has the same `id`. */
export function findComponentMistakes(manifest: Manifest): readonly Problem[] {
  return Object.entries(manifest.document.components.schemas).flatMap(([name, { 'x-capix-id': id }]) => {
    const capability = typeof id === 'string' ? findUser(name, manifest) : undefined;
    if (capability === undefined) return [];
    const taken = `\`${capability.key}\` has a schema with the id \`${String(id)}\`, which another one has`;
    const message = `${taken}: the document calls it \`${name}\`.`;
    return [toMistake('duplicate-schema-id', capability, { message, hint: 'Give one of them another id.' })];
  });
}

/** The first capability that refers to a component, or to one that does. */
function findUser(component: string, manifest: Manifest): Listed | undefined {
  const { paths, components } = manifest.document;
  const refersTo = (json: unknown, name: string): boolean => JSON.stringify(json).includes(`/schemas/${name}"`);
  const names = [component];
  for (const name of names) {
    const others = Object.entries(components.schemas).filter(([, schema]) => refersTo(schema, name));
    names.push(...others.flatMap(([other]) => (names.includes(other) ? [] : [other])));
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const user = operations.find((operation) => names.some((name) => refersTo(operation, name)));
  return toCapabilities(manifest).find(({ key }) => key === recordOf(recordOf(user)[FACTS])['key']);
}
