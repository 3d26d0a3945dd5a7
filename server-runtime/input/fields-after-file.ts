import type { Readable } from 'node:stream';
import { LateValue } from './after-file.ts';
import { type InputFields, toInputFields } from './input-fields.ts';
import type { InputPlan } from './input-plan.ts';

/** The fields of a form that follow a file which is handed on as it arrives. */
export class FieldsAfterFile {
  readonly #plan: InputPlan;
  readonly #stream: Readable;
  readonly #sent: Record<string, unknown[]> = Object.create(null);
  readonly #fields: Promise<InputFields>;
  #resolve: (fields: InputFields) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(plan: InputPlan, stream: Readable) {
    this.#plan = plan;
    this.#stream = stream;
    this.#fields = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A handler that does not ask for the fields does not hear of the end of the form either.
    this.#fields.catch(() => {});
  }

  takes(name: string): boolean {
    return this.#plan.fields.get(name.replace(/\[.*$/, ''))?.isAfterFile === true;
  }

  add(name: string, value: unknown): void {
    (this.#sent[name] ??= []).push(value);
  }

  /** Each field that has not come stands there as one that may. */
  addTo(input: InputFields): InputFields {
    for (const [name, field] of this.#plan.fields)
      if (field.isAfterFile && !Object.hasOwn(input, name)) input[name] = new LateValue(name, () => this.#read(name));
    return input;
  }

  end(): void {
    this.#resolve(toInputFields(this.#sent, this.#plan));
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  async #read(name: string): Promise<unknown> {
    // The form goes no further than its file, which somebody has to read.
    if (!this.#stream.readableDidRead && this.#stream.readableFlowing === null) this.#stream.resume();
    return (await this.#fields)[name];
  }
}
