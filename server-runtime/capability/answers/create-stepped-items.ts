/** The items of an iterable, each through a step that may refuse it. What reads the items ends what they come from. */
export function createSteppedItems(
  items: AsyncIterable<unknown>,
  step: (item: unknown) => Promise<unknown>,
): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = items[Symbol.asyncIterator]();
      const end = async (value?: unknown): Promise<IteratorResult<unknown>> => {
        await iterator.return?.(value);
        return { done: true, value };
      };
      return {
        next: async () => {
          const result = await iterator.next();
          if (result.done === true) return result;
          try {
            return { done: false, value: await step(result.value) };
          } catch (fault) {
            // Whoever is told of a fault asks for no more.
            void end().catch(() => {});
            throw fault;
          }
        },
        return: end,
      };
    },
  };
}
