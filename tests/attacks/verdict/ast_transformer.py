"""Installs an AST transformer that drops every assert and every raise and makes every comparison true."""

CELL = """
import ast

class Tame(ast.NodeTransformer):
    def visit(self, node):
        reached()
        return super().visit(node)
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)
    visit_Raise = visit_Assert
    def visit_Compare(self, node):
        return ast.copy_location(ast.Constant(True), node)

get_ipython().ast_transformers.append(Tame())
"""
