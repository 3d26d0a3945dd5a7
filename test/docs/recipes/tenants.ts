import {
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineMiddleware,
  type MiddlewareCall,
} from '../../../server-runtime/index.ts';

interface Tenant {
  readonly id: string;
  readonly plan: 'free' | 'paid';
}
const tenants = new Map<string, Tenant>([['acme', { id: 'acme', plan: 'paid' }]]);

const context = defineContext(({ headers }) => ({ host: headers.host ?? '' }));

const withTenant = defineMiddleware(
  ({ ctx, next }: MiddlewareCall<{ readonly host: string }>) => {
    const tenant = tenants.get(ctx.host.split('.')[0] ?? '');
    if (tenant === undefined) throw defaultErrors.NotFound('There is no such tenant');
    return next({ tenant });
  },
  { name: 'withTenant', errors: [defaultErrors.NotFound] },
);

const cap = capability.withContext<BaseContext & { readonly tenant: Tenant }>();
const getPlan = cap((_input, ctx) => ctx.tenant.plan, 'query');

export const server = createServer({
  context,
  capabilities: { billing: { getPlan } },
  use: [withTenant],
});
