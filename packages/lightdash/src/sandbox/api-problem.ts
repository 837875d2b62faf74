/** An error of the API, in Lightdash's words. */

/** Thrown by routes. It becomes an error envelope like that of a real Lightdash. */
export class ApiProblem extends Error {
  override readonly name: string;
  readonly statusCode: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    statusCode: number,
    name: string,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.name = name;
    this.data = data;
  }
}

export function notFound(message: string): ApiProblem {
  return new ApiProblem(404, 'NotFoundError', message);
}

export function invalid(field: string, message: string, value: unknown): ApiProblem {
  return new ApiProblem(422, 'ValidateError', '', { [field]: { message, value } });
}
