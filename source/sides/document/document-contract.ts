import type { HttpMethod } from '../../../server-runtime/capability/route/http-method.ts';
import type { Manifest, ManifestCapability, ManifestGuard } from '../../manifest/manifest.ts';
import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';
import { findDocumentAnswers } from './document-answers.ts';
import { toDocumentGuards } from './document-guards.ts';
import { takesDocumentForm, toDocumentInput } from './document-input.ts';
import { toDocumentJobs } from './document-jobs.ts';
import { type DocumentOperation, followReference, toItems } from './document-operation.ts';

/**
 * An OpenAPI 3.0 or 3.1 document as a contract: what it does not say (intents, timeouts, tools) is the same for all operations. The key of an operation is
 * its `operationId`, without one its method and path.
 */
export function toDocumentContract(document: SchemaJson, label: string): Manifest {
  return {
    project: { name: label, root: '', config: label },
    urlCase: 'kebab',
    capabilities: findOperations(document).map(toCapability),
    ...toDocumentJobs(document),
    problems: [],
    files: [],
  };
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;

function findOperations(document: SchemaJson): readonly DocumentOperation[] {
  const paths = isSchemaObject(document['paths']) ? document['paths'] : {};
  const prefix = findPrefix(document);
  return Object.entries(paths).flatMap(([path, given]) => {
    const item = followReference(given, document);
    return methods.flatMap((method): readonly DocumentOperation[] => {
      const operation = item[method];
      if (!isSchemaObject(operation)) return [];
      const parameters = [...toItems(item['parameters']), ...toItems(operation['parameters'])];
      const followed = parameters.map((parameter) => followReference(parameter, document));
      return [{ document, method: method.toUpperCase(), path: `${prefix}${path}`, operation, parameters: followed }];
    });
  });
}

/** The path of the first server, which stands before all others. */
function findPrefix({ servers }: SchemaJson): string {
  const [first] = toItems(servers);
  const url = isSchemaObject(first) && typeof first['url'] === 'string' ? first['url'] : '';
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '');
  return path.startsWith('/') ? path : '';
}

function toCapability(each: DocumentOperation): ManifestCapability {
  const { document, method, path, operation } = each;
  const { operationId, description, deprecated } = operation;
  const key = typeof operationId === 'string' ? operationId : `${method} ${path}`;
  const { output, errors } = findDocumentAnswers(each);
  const guards: readonly ManifestGuard[] = toDocumentGuards(operation, document);
  const route = path.replaceAll(/\{([^}]+)\}/g, ':$1');
  const input = toDocumentInput(each);
  return {
    key,
    groups: [],
    name: key,
    intent: 'query',
    method: method as HttpMethod,
    path: route,
    params: [...route.matchAll(/:([^/]+)/g)].map(([, name = '']) => name),
    rule: { id: 'override' },
    explanation: { fired: '', nearest: '', change: '', alternative: { method, path: route } },
    guards,
    inputGuards: [],
    enhancers: [],
    errors,
    description: typeof description === 'string' ? description : undefined,
    deprecation: deprecated === true ? {} : undefined,
    tool: false,
    ...(takesDocumentForm(each) ? { takesForm: true as const } : {}),
    input: input && { json: input },
    output: output && { json: output },
    answers: [],
    otherRoutes: [],
  };
}
