/**
 * Lets a class below it give private fields to an object that somebody else made. Nobody else can read, copy or forge
 * such a field, nor see that it is there; a `WeakMap` says the same at many times the price.
 */
export class Marked {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: The fields of the class below go to what is returned here.
    return object;
  }
}
