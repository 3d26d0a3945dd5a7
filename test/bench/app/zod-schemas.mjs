/** The inputs, for the servers that validate with zod. `z` is the caller's copy of zod. */
export const toZodSchemas = (z) => ({
  readUser: z.object({ id: z.string(), verbose: z.boolean(), limit: z.number().int().max(100) }),
  userParams: z.object({ id: z.string() }),
  /** For frameworks that leave query values as text. */
  userQuery: z.object({ verbose: z.stringbool(), limit: z.coerce.number().int().max(100) }),
  products: z.array(
    z.object({
      id: z.string(),
      name: z.string().min(1),
      price: z.number().min(0),
      inStock: z.boolean(),
      tags: z.array(z.string()),
    }),
  ),
  withId: z.object({ id: z.string() }),
  order: z.object({
    customer: z.string().min(1).max(64),
    email: z.email(),
    currency: z.enum(['EUR', 'USD', 'GBP']),
    priority: z.number().int().min(1).max(5),
    gift: z.boolean(),
    note: z.string().max(200).optional(),
    address: z.object({
      street: z.string().min(1),
      city: z.string().min(1),
      zip: z.string().min(3).max(10),
    }),
    items: z
      .array(
        z.object({
          sku: z.string().min(1),
          quantity: z.number().int().min(1),
          price: z.number().min(0),
        }),
      )
      .min(1),
  }),
});
