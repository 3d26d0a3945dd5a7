import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Compiles a schema as the readers of others do: with formats and the flag `u`; a format that Ajv does not know throws. */
export function createStrictReader(
  schema: object,
): (field: string, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, logger });
  addFormats.default(ajv);
  // Each value is looked at by itself: the other fields are not there.
  const { required: _others, ...rest } = schema as { readonly required?: unknown };
  const validate = ajv.compile(rest);
  return (field, value) => {
    if (validate({ [field]: value })) return undefined;
    const own = validate.errors?.filter(({ instancePath }) => instancePath.startsWith(`/${field}`));
    return own?.[0] && `${own[0].instancePath} ${own[0].message ?? ''}`;
  };
}

const logger = {
  log: () => {},
  warn: (message: string) => {
    throw new Error(message);
  },
  error: () => {},
};
