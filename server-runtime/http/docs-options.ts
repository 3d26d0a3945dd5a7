import type { InfoObject, OpenApiDocument } from './openapi-document.ts';

type Info = { readonly [Name in keyof InfoObject]?: InfoObject[Name] | undefined };

/** The texts on the API in its document. Without a title it is `Capix API`, without a version `0.1.0`. */
export interface DocsOptions extends Info {
  /** @default [{url: '/'}]: where the document was found */
  readonly servers?: OpenApiDocument['servers'] | undefined;
  /** The purposes of groups, in Markdown: `{users: 'Who may sign in', 'catalog.items': 'What is sold'}`. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Gives the document that is published instead: with extensions of your own, or without some operations. */
  readonly edit?: ((document: OpenApiDocument) => OpenApiDocument) | undefined;
}

export const docsOptionNames = 'title version description contact license servers tags edit';
