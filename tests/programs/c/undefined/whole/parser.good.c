// A tokeniser, a recursive-descent parser to a tree in an arena, a stack machine, and a
// printer with varargs-free string building.
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token { T_END, T_NUMBER, T_PLUS, T_MINUS, T_TIMES, T_OPEN, T_CLOSE, T_BAD };

struct lexer { const char *at; enum token token; int number; };

static void next(struct lexer *l) {
  while (isspace((unsigned char)*l->at))
    l->at++;
  if (isdigit((unsigned char)*l->at)) {
    l->number = 0;
    while (isdigit((unsigned char)*l->at))
      l->number = 10 * l->number + (*l->at++ - '0');
    l->token = T_NUMBER;
    return;
  }
  static const char symbols[] = "+-*()";
  static const enum token tokens[] = {T_PLUS, T_MINUS, T_TIMES, T_OPEN, T_CLOSE};
  const char *found = *l->at ? strchr(symbols, *l->at) : NULL;
  if (found) {
    l->token = tokens[found - symbols];
    l->at++;
  } else {
    l->token = *l->at ? T_BAD : T_END;
  }
}

struct node {
  char operator;         // 0: a number
  union {
    int number;
    struct { struct node *left, *right; };
  };
};

struct pool { struct node nodes[16]; int used; bool failed; };

static struct node *make(struct pool *p) { return p->used < 16 ? &p->nodes[p->used++] : NULL; }

static struct node *sum(struct lexer *l, struct pool *p);

static struct node *atom(struct lexer *l, struct pool *p) {
  if (l->token == T_NUMBER) {
    struct node *n = make(p);
    n->operator = 0;
    n->number = l->number;
    next(l);
    return n;
  }
  if (l->token == T_OPEN) {
    next(l);
    struct node *n = sum(l, p);
    if (l->token != T_CLOSE)
      p->failed = true;
    else
      next(l);
    return n;
  }
  p->failed = true;
  return NULL;
}

static struct node *binary(struct pool *p, char operator, struct node *left, struct node *right) {
  struct node *n = make(p);
  *n = (struct node){.operator = operator, .left = left, .right = right};
  return n;
}

static struct node *product(struct lexer *l, struct pool *p) {
  struct node *n = atom(l, p);
  while (!p->failed && l->token == T_TIMES) {
    next(l);
    n = binary(p, '*', n, atom(l, p));
  }
  return n;
}

static struct node *sum(struct lexer *l, struct pool *p) {
  struct node *n = product(l, p);
  while (!p->failed && (l->token == T_PLUS || l->token == T_MINUS)) {
    char operator = l->token == T_PLUS ? '+' : '-';
    next(l);
    n = binary(p, operator, n, product(l, p));
  }
  return n;
}

enum op { PUSH, ADD, SUB, MUL, HALT };
struct code { unsigned char bytes[64]; size_t length; };

static void emit(struct code *c, const struct node *n) {
  if (!n->operator) {
    c->bytes[c->length++] = PUSH;
    memcpy(c->bytes + c->length, &n->number, sizeof n->number);
    c->length += sizeof n->number;
    return;
  }
  emit(c, n->left);
  emit(c, n->right);
  c->bytes[c->length++] = n->operator == '+' ? ADD : n->operator == '-' ? SUB : MUL;
}

static int run(const struct code *c) {
  int stack[8], *top = stack;
  for (const unsigned char *pc = c->bytes;;) {
    switch ((enum op)*pc++) {
    case PUSH:
      memcpy(top++, pc, sizeof *top);
      pc += sizeof *top;
      break;
    case ADD: --top; top[-1] += *top; break;
    case SUB: --top; top[-1] -= *top; break;
    case MUL: --top; top[-1] *= *top; break;
    case HALT: return *--top;
    }
  }
}

static char *print(char *to, const struct node *n) {
  if (!n->operator)
    return to + sprintf(to, "%d", n->number);
  *to++ = '(';
  to = print(to, n->left);
  *to++ = n->operator;
  to = print(to, n->right);
  *to++ = ')';
  *to = '\0';
  return to;
}

static bool evaluate(const char *text, int *value, char *printed) {
  struct pool pool;
  pool.used = 0;
  pool.failed = false;
  struct lexer l;
  l.at = text;
  next(&l);
  struct node *tree = sum(&l, &pool);
  if (pool.failed || l.token != T_END)
    return false;
  struct code code;
  code.length = 0;
  emit(&code, tree);
  code.bytes[code.length] = HALT;
  *value = run(&code);
  print(printed, tree);
  return true;
}

int main(void) {
  int v;
  char text[64];
  assert(evaluate("1 + 2*(3-5)", &v, text) && v == -3 && strcmp(text, "(1+(2*(3-5)))") == 0);
  assert(evaluate("42", &v, text) && v == 42 && strcmp(text, "42") == 0);
  assert(!evaluate("1 +", &v, text) && !evaluate("(1", &v, text) && !evaluate("1 $ 2", &v, text));
  assert(v == 42);
  return 0;
}
