import { findTarget, isSchemaObject, type SchemaJson } from '../../document/schema-json.ts';
import type { ReadText } from './read-any-text.ts';
import { type Unread, UnreadList } from './unread.ts';
import { type OpenObject, toPointer, walkDocument } from './walk-document.ts';

/** Where a document and the files that it refers to come from. */
export interface DocumentSource {
  /** The URL of the document, by which its references are resolved. */
  readonly url: URL;
  /** Reads the file at a URL, or says why it is not read. */
  readonly read: (url: URL) => Promise<ReadText>;
}

export interface WholeDocument {
  readonly document: SchemaJson;
  readonly unread: readonly Unread[];
}

/**
 * Follows the references of a document to other files, to what an `$id` names and to anchors: all of it becomes a part
 * of the document, so that each reference in it is a pointer, which is all that the rest of the tool knows. Changes the
 * document, which nobody else has yet.
 *
 * @throws TooDeep
 */
export async function followReferences(
  document: SchemaJson,
  source: DocumentSource,
): Promise<WholeDocument> {
  const files = new Files(document, source);
  const unread = new UnreadList();
  // Files that are found are added behind those that are being looked at.
  for (const file of files.all)
    for (const reference of file.references()) await files.open(reference, file);
  for (const file of files.all)
    for (const reference of file.references()) {
      const { text, place, places } = reference;
      const found = files.findPointer(reference, file);
      if (found.kind === 'unread')
        unread.add({
          keyword: `$ref: ${text}`,
          reason: found.reason,
          place: file.toPlace(place),
          count: places.length,
        });
      else if (found.pointer !== text)
        for (const { holder, name } of places) holder[name] = found.pointer;
    }
  return { document: files.toDocument(), unread: unread.list() };
}

interface Holder {
  readonly holder: OpenObject;
  readonly name: string;
}

/** A reference as it is written, wherever it is written in its file. */
interface Reference {
  readonly text: string;
  /** The URL that it is resolved against: of the file, or of an `$id` around it. */
  readonly base: string;
  /** The pointer to the first place. */
  readonly place: string;
  readonly places: Holder[];
}

type FoundPointer =
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'unread'; readonly reason: string };

/** What makes an object one that refers, or that is referred to by a name. */
const keywords = ['$ref', 'mapping', '$id', '$anchor', '$dynamicAnchor'] as const;

/** A file, and what is in it that a reference may mean. */
class DocumentFile {
  readonly url: string;
  readonly document: SchemaJson;
  /** The pointer to it in the whole document; `''` for the document itself. */
  readonly root: string;
  readonly #references = new Map<string, Reference>();
  /** Pointers in the file, by the URLs that an `$id` or an anchor gives. */
  readonly named = new Map<string, string>();

  constructor(url: string, document: SchemaJson, root: string) {
    this.url = url;
    this.document = document;
    this.root = root;
    this.#read();
  }

  references(): Iterable<Reference> {
    return this.#references.values();
  }

  toPlace(pointer: string): string {
    return this.root === '' ? pointer : `${this.url.split('/').at(-1)}${pointer}`;
  }

  #read(): void {
    /** The enclosing objects that have an `$id`, the outermost first. */
    const bases: { readonly path: readonly string[]; readonly url: string }[] = [];
    const toBase = (path: readonly string[]): string => {
      for (let last = bases.at(-1); last !== undefined; last = bases.at(-1)) {
        if (last.path.every((name, at) => path[at] === name)) return last.url;
        bases.pop();
      }
      return this.url;
    };
    walkDocument(this.document, ({ object, path }) => {
      if (!keywords.some((keyword) => keyword in object)) return;
      const outer = toBase(path);
      const base = toUrl(object['$id'], outer) ?? outer;
      if (base !== outer) {
        bases.push({ path: [...path], url: base });
        this.named.set(base, toPointer(path));
      }
      for (const keyword of ['$anchor', '$dynamicAnchor'])
        if (typeof object[keyword] === 'string')
          this.named.set(`${base}#${object[keyword]}`, toPointer(path));
      for (const each of findHolders(object)) this.#add(each, base, path);
    });
  }

  #add(place: Holder, base: string, path: readonly string[]): void {
    const text = String(place.holder[place.name]);
    const key = `${base}\n${text}`;
    const known = this.#references.get(key);
    if (known !== undefined) known.places.push(place);
    else this.#references.set(key, { text, base, place: toPointer(path), places: [place] });
  }
}

/** Where references may stand in an object: at `$ref`, and in the mapping of a discriminator. */
function findHolders(object: OpenObject): readonly Holder[] {
  const { $ref, mapping } = object;
  const ofMapping = Object.entries(isSchemaObject(mapping) ? mapping : {}).flatMap(
    ([name, text]) =>
      // Without these it is the name of a component.
      typeof text === 'string' && /[#/]/.test(text) ? { holder: mapping as OpenObject, name } : [],
  );
  return typeof $ref === 'string' ? [{ holder: object, name: '$ref' }, ...ofMapping] : ofMapping;
}

function toUrl(text: unknown, base: string): string | undefined {
  return typeof text === 'string' && URL.canParse(text, base)
    ? new URL(text, base).href.replace(/#$/, '')
    : undefined;
}

/** The document and all files that it leads to. */
class Files {
  readonly all: DocumentFile[] = [];
  readonly #source: DocumentSource;
  readonly #byUrl = new Map<string, DocumentFile>();
  /** Why files are not read, by their URLs. */
  readonly #refused = new Map<string, string>();
  readonly #names = new Set<string>();
  /** The name under which the other files stand in the document. */
  readonly #shelf: string;

  constructor(document: SchemaJson, source: DocumentSource) {
    this.#source = source;
    this.#shelf = 'x-files' in document ? 'x-other-files' : 'x-files';
    this.#add(source.url.href, document, '');
  }

  /** Reads the file that a reference leads to, unless it leads into one that was read. */
  async open({ text, base }: Reference, file: DocumentFile): Promise<void> {
    if (text.startsWith('#') && base === file.url) return;
    const url = toUrl(text, base);
    const place = url?.split('#')[0];
    if (url === undefined || place === undefined || this.#refused.has(place)) return;
    // An `$id` names a part of a file, and no place to read from.
    const isKnown = this.#byUrl.has(place) || this.#findNamed(place) || this.#findNamed(url);
    if (isKnown) return;
    const read = await this.#source.read(new URL(place));
    if (read.kind === 'document') this.#add(place, read.document, toName(place));
    else this.#refused.set(place, `${read.place} ${read.reason}`.trim());
  }

  findPointer({ text, base }: Reference, file: DocumentFile): FoundPointer {
    const isLocal = text.startsWith('#/');
    if (isLocal && base === file.url) return toFound({ file, pointer: text.slice(1) });
    const url = toUrl(text, base);
    const found = url === undefined ? NO_URL : this.#findAt(url);
    // Generators leave an `$id` in documents whose pointers start at the top all the same.
    const isElsewhere = isLocal && found.kind === 'unread';
    return isElsewhere ? toFound({ file, pointer: text.slice(1) }) : found;
  }

  #findAt(url: string): FoundPointer {
    const [place = '', fragment = ''] = url.split('#', 2);
    const reason = this.#refused.get(place);
    return reason === undefined
      ? toFound(this.#findNamed(url) ?? this.#findInside(place, fragment))
      : { kind: 'unread', reason };
  }

  toDocument(): SchemaJson {
    const [first, ...others] = this.all;
    if (first === undefined || others.length === 0) return first?.document ?? {};
    const files = others.map(({ root, document }) => [root.split('/').at(-1), document] as const);
    return { ...first.document, [this.#shelf]: Object.fromEntries(files) };
  }

  /** What an `$id` or an anchor names. */
  #findNamed(url: string): Target | undefined {
    for (const file of this.all) {
      const pointer = file.named.get(url);
      if (pointer !== undefined) return { file, pointer };
    }
    return undefined;
  }

  /** What a pointer leads to in a file, or in what an `$id` names. */
  #findInside(place: string, fragment: string): Target | undefined {
    if (fragment !== '' && !fragment.startsWith('/')) return undefined;
    const file = this.#byUrl.get(place);
    if (file !== undefined) return { file, pointer: fragment };
    const named = this.#findNamed(place);
    return named && { file: named.file, pointer: `${named.pointer}${fragment}` };
  }

  #add(url: string, document: SchemaJson, name: string): void {
    let unused = name;
    for (let number = 2; this.#names.has(unused); number += 1) unused = `${name}-${number}`;
    this.#names.add(unused);
    const root = name === '' ? '' : `/${this.#shelf}/${unused}`;
    const file = new DocumentFile(url, document, root);
    this.#byUrl.set(url, file);
    this.all.push(file);
  }
}

interface Target {
  readonly file: DocumentFile;
  readonly pointer: string;
}

const NO_URL: FoundPointer = { kind: 'unread', reason: 'it is not a URL' };

function toFound(target: Target | undefined): FoundPointer {
  const found = target && findTarget(`#${target.pointer}`, target.file.document);
  return target === undefined || found === undefined
    ? { kind: 'unread', reason: 'it leads nowhere' }
    : { kind: 'pointer', pointer: `#${target.file.root}${target.pointer}` };
}

/** The name of what a file holds: `https://example.org/schemas/user.yaml` gives `user`. */
function toName(url: string): string {
  const file = url.split(/[?]/)[0]?.split('/').at(-1) ?? '';
  return file.replace(/\.[^.]*$/, '').replaceAll(/[^\w.-]/g, '-') || 'file';
}
