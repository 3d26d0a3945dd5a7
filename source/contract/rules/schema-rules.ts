import type { ContractRule } from './contract-rule.ts';
import { toRule as rule } from './contract-rule.ts';

/** Rules for the schemas, by the side on which they are used: callers send the input, and read the output. */
export const schemaRules = {
  'input-schema-added': rule('risky', 'a capability without an input schema got one', [
    'input that was accepted unchecked may be refused',
  ]),
  'input-schema-removed': rule('risky', 'the input schema was removed', ['input is no longer checked or converted']),
  'input-field-added-required': rule('breaking', 'a required field was added', [
    'callers that leave it out are refused',
  ]),
  'input-field-added-optional': rule('safe', 'an optional field was added', ['callers may leave it out']),
  'input-field-became-required': rule('breaking', 'an optional field is required now', [
    'callers that leave it out are refused',
  ]),
  'input-field-became-optional': rule('safe', 'a required field is optional now', [
    'callers that send it are answered as before',
  ]),
  'input-field-removed': rule('risky', 'a field was removed, and unknown fields are ignored', [
    'it is ignored where it is sent, and code that sends it does not compile with a new client',
  ]),
  'input-field-refused': rule('breaking', 'a field was removed, and unknown fields are refused', [
    'callers that send it are refused',
  ]),
  'input-field-moved': rule('breaking', 'a required field has another name or place', [
    'callers that send it where it was are refused',
  ]),
  'input-field-moved-optional': rule('risky', 'an optional field has another name or place', [
    'it is ignored where it was',
  ]),
  'input-field-deprecated': rule('safe', 'a field became deprecated', ['it is accepted as before']),
  'input-default-added': rule('risky', 'an optional field got a default', [
    'callers that leave it out get another answer',
  ]),
  'input-default-removed': rule('risky', 'an optional field lost its default', [
    'callers that leave it out get another answer',
  ]),
  'input-default-changed': rule('risky', 'a default changed', ['callers that leave it out get another answer']),
  'input-type-narrowed': rule('breaking', 'a type changed or became narrower', ['values of the old type are refused']),
  'input-type-widened': rule('safe', 'a type became wider', ['values of the old type are still accepted']),
  'input-text-type-changed': rule(
    'breaking',
    'the type of a field in the path or query changed, and its text still fits',
    ['as text in the path or query it is the same; the type of the client and the tool is not', ['client', 'agents']],
  ),
  'input-values-lost': rule('breaking', 'fewer values are listed', ['other values are refused']),
  'input-values-gained': rule('safe', 'more values are listed', ['all old values are accepted']),
  'input-check-added': rule('breaking', 'a check that is code was added, such as `.refine(…)`', [
    'values that were accepted may be refused, and nobody can tell which',
  ]),
  'input-check-changed': rule('risky', 'the source text of a check that is code changed', [
    'nobody can tell which values it refuses now',
  ]),
  'input-check-removed': rule('safe', 'a check that is code was removed', ['more values are accepted']),
  'input-unclear': rule('risky', 'restrictions changed that cannot be ordered', ['they cannot be compared']),
  'output-schema-added': rule('safe', 'a capability without an output schema got one', ['the answer is promised now']),
  'output-schema-removed': rule('risky', 'the output schema was removed', [
    'nothing is promised about the answer any longer',
    ['client', 'agents'],
  ]),
  'output-field-added': rule('safe', 'a field was added', ['readers pass over what they do not know']),
  'output-field-became-required': rule('safe', 'a field is always present now', ['readers were ready for less']),
  'output-field-became-optional': rule('breaking', 'a field may be missing now', ['readers count on it']),
  'output-field-removed': rule('breaking', 'a field was removed', ['readers miss it']),
  'output-field-moved': rule('breaking', 'a field has another name or place', ['readers miss it where it was']),
  'output-field-deprecated': rule('safe', 'a field became deprecated', ['it is sent as before']),
  'output-position-lost': rule('breaking', 'a position of a tuple may be missing', ['readers count on it']),
  'output-type-widened': rule('breaking', 'a type changed or became wider', ['readers do not expect the new type']),
  'output-type-narrowed': rule('safe', 'a type became narrower', ['readers expect the new type already']),
  'output-values-lost': rule('safe', 'fewer values are listed', ['readers know these values']),
  'output-values-gained': rule('risky', 'more values are listed', ['readers may not know what to do with new values']),
  'output-unclear': rule('risky', 'restrictions changed that cannot be ordered', ['they cannot be compared']),
} as const satisfies Readonly<Record<string, ContractRule>>;
