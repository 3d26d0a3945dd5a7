/** What one process asks another one, what it gets, and what it hears until then. */
export interface Question<Subject, Answer, Progress = never> {
  readonly question: Subject;
  readonly answer: Answer;
  readonly progress: Progress;
}
