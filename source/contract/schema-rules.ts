import { byName, type Row } from './contract-change.ts';

/** The values that may be sent: callers are refused where it becomes narrower. */
export const inputs = {
  'input-schema-added': [
    'risky',
    'a capability without an input schema got one',
    'input that was accepted unchecked may be refused',
  ],
  'input-schema-removed': ['risky', 'the input schema was removed', 'input is no longer checked or converted'],
  'input-field-added': ['safe', 'an optional field was added', 'callers may leave it out'],
  'input-field-required': ['breaking', 'a field is required, and was not', 'callers that leave it out are refused'],
  'input-field-optional': ['safe', 'a required field is optional now', 'callers that send it are answered as before'],
  'input-field-removed': [
    'risky',
    'a field was removed, and unknown fields are ignored',
    'it is ignored where it is sent, and code that sends it does not compile with a new client',
  ],
  'input-field-refused': [
    'breaking',
    'a field was removed, and unknown fields are refused',
    'callers that send it are refused',
  ],
  'input-field-deprecated': ['safe', 'a field became deprecated', 'it is accepted as before'],
  'input-default-changed': [
    'risky',
    'an optional field has another default',
    'callers that leave it out get another response',
  ],
  'input-type-narrower': ['breaking', 'a type changed or became narrower', 'values of the old type are refused'],
  'input-type-wider': ['safe', 'a type became wider', 'values of the old type are still accepted'],
  'input-text-type-changed': [
    'breaking',
    'the type of a field in the path or query changed, and its text still fits',
    'as text in the path or query it is the same; the type of the client and the tool is not',
    byName,
  ],
  'input-value-changed': [
    'breaking',
    'what the client gave as a date, a large integer, a map or a set is another value in its types',
    'what is sent is told by other rules; code that gives the old value does not compile',
    ['client'],
  ],
  'input-values-narrower': ['breaking', 'fewer values are listed', 'other values are refused'],
  'input-values-wider': ['safe', 'more values are listed', 'all old values are accepted'],
  'input-limit-narrower': [
    'breaking',
    'a limit became narrower: a length, a range, a number of items or fields, a size',
    'values that were accepted are refused',
  ],
  'input-limit-wider': ['safe', 'a limit became wider', 'more values are accepted'],
  'input-format-narrower': [
    'breaking',
    'a text must have a format or match a regular expression, and did not have to',
    'values that were accepted are refused',
  ],
  'input-format-wider': ['safe', 'a text needs one format or regular expression fewer', 'more values are accepted'],
  'input-format-other': ['breaking', 'a text must have another format', 'values of the old format are refused'],
  'input-format-unclear': ['risky', 'a regular expression changed', 'nobody can tell which texts it refuses now'],
  'input-check-narrower': [
    'breaking',
    'a check that is code was added, such as `.refine(…)`, or a conversion was removed, such as `z.coerce`',
    'values that were accepted may be refused',
  ],
  'input-check-wider': ['safe', 'a check was removed, or a conversion added', 'more values are accepted'],
  'input-check-changed': [
    'risky',
    'a check or a conversion that is code changed',
    'nobody can tell which values it refuses now',
  ],
  'input-unclear': ['risky', 'restrictions changed that cannot be ordered', 'they cannot be compared'],
} as const satisfies Readonly<Record<string, Row>>;

/** The values that are read: readers are surprised where it becomes wider. */
export const outputs = {
  'output-schema-added': ['safe', 'a capability without an output schema got one', 'the response is promised now'],
  'output-schema-removed': [
    'risky',
    'the output schema was removed',
    'nothing is promised about the response any longer',
    byName,
  ],
  'output-field-added': ['safe', 'a field was added', 'readers pass over what they do not know'],
  'output-field-required': ['safe', 'a field is always present now', 'readers were ready for less'],
  'output-field-optional': ['breaking', 'a field, a header or an item may be missing now', 'readers count on it'],
  'output-field-removed': ['breaking', 'a field or a header was removed', 'readers miss it'],
  'output-field-deprecated': ['safe', 'a field became deprecated', 'it is sent as before'],
  'output-type-wider': ['breaking', 'a type changed or became wider', 'readers do not expect the new type'],
  'output-type-narrower': ['safe', 'a type became narrower', 'readers expect the new type already'],
  'output-value-changed': [
    'breaking',
    'what the client read as a date, a large integer, a map or a set is another value in its types',
    'what is sent is told by other rules; code that reads the old value does not compile',
    ['client'],
  ],
  'output-values-narrower': ['safe', 'fewer values are listed', 'readers know these values'],
  'output-values-wider': ['risky', 'more values are listed', 'readers may not know what to do with new values'],
  'output-limit-narrower': ['safe', 'a limit became narrower', 'readers were ready for more'],
  'output-limit-wider': ['risky', 'a limit became wider', 'readers may get values that they did not expect'],
  'output-format-narrower': ['safe', 'a text has one format or regular expression more', 'readers were ready for more'],
  'output-format-wider': [
    'risky',
    'a text has one format or regular expression fewer',
    'readers may get values that they did not expect',
  ],
  'output-format-other': ['risky', 'a text has another format', 'readers may not be able to read it'],
  'output-format-unclear': ['risky', 'a regular expression changed', 'nobody can tell which texts come'],
  'output-unclear': ['risky', 'restrictions changed that cannot be ordered', 'they cannot be compared'],
} as const satisfies Readonly<Record<string, Row>>;
