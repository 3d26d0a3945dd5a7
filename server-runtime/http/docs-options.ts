import { expectKnownOptions } from '../errors/expect-options.ts';
import type { InfoObject, OpenApiDocument } from './openapi-document.ts';

/** The texts on the API in its document, which `restTransport({docs})`, `generateOpenAPI` and `capix openapi` read. */
export interface DocsOptions {
  /** @default 'Capix API' */
  readonly title?: string | undefined;
  /** @default '0.1.0' */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly contact?: InfoObject['contact'] | undefined;
  readonly license?: InfoObject['license'] | undefined;
  /** @default [{url: '/'}]: where the document was found */
  readonly servers?: OpenApiDocument['servers'] | undefined;
  /** The purposes of groups, in Markdown: `{users: 'Who may sign in', 'catalog.items': 'What is sold'}`. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Gives the document that is published instead: with extensions of your own, or without some operations. */
  readonly edit?: ((document: OpenApiDocument) => OpenApiDocument) | undefined;
}

const names = 'title version description contact license servers tags edit'.split(' ');

/** @throws TypeError for an option that there is not */
export function expectDocsOptions(owner: string, options: object): asserts options is DocsOptions {
  expectKnownOptions(owner, options, Object.fromEntries(names.map((name) => [name, true])));
}
