import { expectKnownOptions } from '../errors/expect-options.ts';
import type { ContactObject, LicenseObject, OpenApiDocument, ServerObject } from './openapi-document.ts';

/** The texts on the API in its document, which `restTransport({docs})`, `generateOpenAPI` and `capix openapi` read. */
export interface DocsOptions {
  /** Name of the API. @default 'Capix API' */
  readonly title?: string | undefined;
  /** Version of the API. @default '0.1.0' */
  readonly version?: string | undefined;
  /** The purpose of the API, in Markdown. */
  readonly description?: string | undefined;
  /** Who answers questions about the API. */
  readonly contact?: ContactObject | undefined;
  /** The licence of the API. */
  readonly license?: LicenseObject | undefined;
  /** @default [{url: '/'}]: where the document was found */
  readonly servers?: readonly ServerObject[] | undefined;
  /** The purposes of groups, in Markdown: `{users: 'Who may sign in', 'catalog.items': 'What is sold'}`. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Gives the document that is published instead: with extensions of your own, or without some operations. */
  readonly edit?: ((document: OpenApiDocument) => OpenApiDocument) | undefined;
}

const names = ['title', 'version', 'description', 'contact', 'license', 'servers', 'tags', 'edit'] as const;

/** @throws TypeError for an option that there is not */
export function expectDocsOptions(owner: string, options: object): asserts options is DocsOptions {
  expectKnownOptions(owner, options, Object.fromEntries(names.map((name) => [name, true])));
}
