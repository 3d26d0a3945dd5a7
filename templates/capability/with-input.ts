import * as z from 'zod';
{{factoryImport}}

{{declaration}} = {{factory}}(z.object({ id: z.string() }), ({ id }) => {
  return { id };
});
