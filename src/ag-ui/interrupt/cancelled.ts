/** The answer a native interrupt gets when the client cancels it. */
export const INTERRUPT_CANCELLED: { readonly cancelled: true } = Object.freeze({ cancelled: true });
